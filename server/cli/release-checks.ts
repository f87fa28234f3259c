import { CairnError } from "../errors.ts";
import { compareNames, readTagName } from "../versions/version-name.ts";
import type { Version } from "../versions/version.ts";
import type { Checkout } from "./checkout.ts";

/** Tag to the commit it means, here and at the remote. */
export type Tags = ReadonlyMap<string, { readonly here?: string; readonly there?: string }>;

/** The version tags of the repository and of its remote, where it has that. */
export async function findTags({ git, find }: Checkout, remote: string): Promise<Tags> {
  const tags = new Map<string, { here?: string; there?: string }>();
  const read = (output: string, side: "here" | "there") => {
    // What an annotated tag means comes after it, and wins.
    for (const [, commit = "", tag = ""] of output.matchAll(
      /^([0-9a-f]{40,64})\s+refs\/tags\/(v[^^\s]+)(?:\^\{\})?$/gm,
    )) {
      if (readTagName(tag) !== undefined) tags.set(tag, { ...tags.get(tag), [side]: commit });
    }
  };
  read((await find("show-ref", "--tags", "--dereference")) ?? "", "here");
  const isThere = (await find("remote", "get-url", remote)) !== undefined;
  if (isThere) read(await git(["ls-remote", "--tags", "--", remote]), "there");
  return tags;
}

/** Refuses, with CONFLICT, whatever would make the tag something else than the branch as everyone has it. */
export async function assertReleasable(
  { git, find }: Checkout,
  { tag, tags, head, branch }: { tag: string; tags: Tags; head: string; branch: string },
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
  }
  const known = tags.get(tag);
  const commit = known?.here ?? known?.there;
  if (commit === undefined) return;
  const what = commit === head ? "this very commit" : commit;
  throw refuse(`\`${tag}\` is there already: ${what}. A tag never moves: raise \`current\` in versions.yaml`);
}

/** What to compare with: the version this one was made from by its own account, else the highest one behind it. */
export async function findPrevious(
  { find }: Checkout,
  { history, semver }: Version,
  head: string,
): Promise<string | undefined> {
  const parent = history.versions.get(semver)?.parent;
  for (const candidate of parent === undefined ? [] : [`refs/tags/v${parent}`, parent]) {
    const commit = await find("rev-parse", "--verify", "--quiet", "--end-of-options", `${candidate}^{commit}`);
    if (commit !== undefined) return commit;
  }
  const merged = (await find("tag", "--merged", head)) ?? "";
  const names = merged.split("\n").flatMap((tag) => readTagName(tag) ?? []);
  const [highest] = names.filter(({ semver: other }) => other !== semver).sort(compareNames);
  return highest && `v${highest.name}`;
}

function refuse(why: string): CairnError {
  return new CairnError("CONFLICT", `Nothing was released: ${why}.`);
}
