import { CairnError } from "../../errors.ts";
import type { Problem } from "../../versions/problem.ts";
import { readTagName } from "../../versions/version-name.ts";
import type { Checkout } from "./checkout.ts";

/** Tag to the commit it means, here and at the remote, and to what the remote has in the name of it: a tag object, or the commit. */
export type Tags = ReadonlyMap<string, { readonly here?: string; readonly there?: string; readonly object?: string }>;

/** The version tags of the repository and of its remote, where it has that. */
export async function findTags({ git, find }: Checkout, remote: string): Promise<Tags> {
  const tags = new Map<string, { here?: string; there?: string; object?: string }>();
  const read = (output: string, side: "here" | "there") => {
    // What an annotated tag means comes after it, and wins.
    for (const [, oid = "", tag = "", peeled] of output.matchAll(
      /^([0-9a-f]{40,64})\s+refs\/tags\/(v[^^\s]+)(\^\{\})?$/gm,
    )) {
      const object = side === "there" && peeled === undefined ? { object: oid } : {};
      if (readTagName(tag) !== undefined) tags.set(tag, { ...tags.get(tag), [side]: oid, ...object });
    }
  };
  read((await find("show-ref", "--tags", "--dereference")) ?? "", "here");
  const isThere = (await find("remote", "get-url", remote)) !== undefined;
  if (isThere) read(await git(["ls-remote", "--tags", "--", remote]), "there");
  return tags;
}

/** Checks that there is a remote with versions. */
export function hasRemote(tags: Tags): boolean {
  return [...tags.values()].some(({ there }) => there !== undefined);
}

/** Refuses, with CONFLICT, whatever would make the tag something else than the branch as everyone has it. */
export async function assertReleasable(
  { git, find }: Checkout,
  { tags, branch }: { tags: Tags; branch: string },
): Promise<void> {
  const on = (await find("symbolic-ref", "--short", "HEAD")) ?? "no branch";
  if (on !== branch) throw refuse(`\`${on}\` is checked out, and releases are made of \`${branch}\``);
  const changed = (await git(["status", "--porcelain"])).split("\n").filter((line) => line !== "");
  if (changed.length > 0) {
    throw refuse(`the work tree is not as committed (${changed.length} files, first \`${changed[0]?.slice(3)}\`)`);
  }
  for (const [name, { here, there }] of tags) {
    if (here !== undefined && there !== undefined && here !== there) {
      throw refuse(`\`${name}\` is ${here} here and ${there} at the remote. A tag that was moved is not to be trusted`);
    }
    if (here === undefined) {
      throw refuse(`\`${name}\` is at the remote and not here, so nothing can be measured against it: fetch the tags`);
    }
  }
}

/**
 * Checks if a push of the commit moves the remote's branch. False where that contains the commit already; CONFLICT where it has
 * commits that are not below this one.
 */
export async function movesBranch(
  { git, find }: Checkout,
  { remote, branch }: { remote: string; branch: string },
  commit: string,
): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const [there] = (await git(["ls-remote", "--", remote, ref])).split(/\s/);
  if (!there) return true;
  if (there === commit) return false;
  await git(["fetch", "--quiet", "--no-tags", "--", remote, ref]);
  const contains = async (newer: string, older: string) =>
    (await find("merge-base", "--is-ancestor", older, newer)) !== undefined;
  if (await contains(there, commit)) return false;
  if (await contains(commit, there)) return true;
  const why = `\`${branch}\` at \`${remote}\` has commits that are not here: \`git pull --rebase --tags ${remote} ${branch}\` first`;
  throw refuse(why);
}

/** State of a number before a release. */
export type NumberState =
  | { readonly kind: "free" }
  /** The tag is at the remote alone, so nothing is known of it. */
  | { readonly kind: "elsewhere" }
  /** The tag is on another commit here, and not at the remote, so nobody has it. */
  | { readonly kind: "unpushed"; readonly commit: string }
  /** The tag is on this very commit. */
  | { readonly kind: "same" }
  /** The tag was served with another commit, and keeps it. */
  | { readonly kind: "burned"; readonly commit: string }
  /** The tag is on another commit that never was served: nobody can have relied on it. */
  | { readonly kind: "unserved"; readonly commit: string; readonly why: Problem };

/** `judgeTag`: why a tag is not served, as far as the repository here can tell. */
export async function findNumberState(
  { tag, tags, head }: { tag: string; tags: Tags; head: string },
  judgeTag: (tag: string) => Promise<readonly Problem[]>,
): Promise<NumberState> {
  const known = tags.get(tag);
  if (known === undefined) return { kind: "free" };
  const commit = known.here;
  if (commit === undefined) return { kind: "elsewhere" };
  if (commit === head) return { kind: "same" };
  if (known.there === undefined && hasRemote(tags)) return { kind: "unpushed", commit };
  const [why] = await judgeTag(tag);
  return why === undefined ? { kind: "burned", commit } : { kind: "unserved", commit, why };
}

/** Explains the consequence for the number; `again` allows to set a tag again, `hasFragments` is of repositories that use them. */
export function explainNumber(
  tag: string,
  state: NumberState,
  { again, hasFragments }: { readonly again: boolean; readonly hasFragments: boolean },
): string {
  switch (state.kind) {
    case "free":
      return `\`${tag}\` is free: no tag has that number.`;
    case "elsewhere":
      return `\`${tag}\` is at the remote and not here: fetch the tags to learn what it is.`;
    case "unpushed":
      return `\`${tag}\` is on ${state.commit} here, and not at the remote: \`git tag --delete ${tag}\` frees it.`;
    case "same":
      return `\`${tag}\` is there already: this very commit.`;
    case "burned": {
      // Nobody edits a number there, so there is none to raise.
      const how = hasFragments
        ? "no change fragment asks for another number, so there is nothing to release. `cairn bump` writes one for what " +
          'has changed; `cairn bump --kind patch -m "..."` writes one in any case.'
        : "raise `current` in versions.yaml.";
      return `\`${tag}\` is served already, as ${state.commit}. A tag never moves${hasFragments ? ", and" : ":"} ${how}`;
    }
    case "unserved": {
      const { file, line, column, message } = state.why;
      const how = again
        ? "It is set again here."
        : "Nobody can have relied on it, so it may be set again: `--again` does.";
      return `\`${tag}\` is on ${state.commit}, which is not served (${file}:${line}:${column}: ${message}). ${how}`;
    }
  }
}

export function refuse(why: string): CairnError {
  return new CairnError("CONFLICT", `Nothing was released: ${why}.`);
}
