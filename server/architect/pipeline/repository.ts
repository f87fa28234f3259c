import { LRUCache } from "lru-cache";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { satisfies, SemVer } from "semver";
import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import type { Git } from "../../versions/git/git.ts";
import type { Texts } from "../edit/merge-yaml.ts";

/** The branch that a change lands on, and where it is. */
export interface Base {
  readonly branch: string;
  readonly head: string;
  /** End of the names of its versions: nothing on the default branch, elsewhere the branch's name. */
  readonly build: string;
}

/** The branch that is wanted among those that have a commit. */
export interface WantedBranch {
  /** Its name, where that is known. */
  readonly branch?: string;
  /** The number of the commit's version, by which the branch is found that maintains it. */
  readonly semver?: string;
  /** True if the default branch comes first, which alone says what labels stand for. */
  readonly prefersDefault?: boolean;
}

/** Questions about the commits of the local copy, by whole ids, which git answers. Nothing here changes the copy. */
export interface Repository {
  /**
   * Finds the branch that changes of a commit land on, among those that have it: the named one; else the one whose name says
   * that it maintains the commit's version (`1.x`), where the default branch is past that; else the default branch, or the only
   * other one, because several evolutions may go on side by side. Rejects with CONFLICT when no branch has it, or several do.
   */
  findBase(commit: string, wanted?: WantedBranch): Promise<Base>;
  listTags(): Promise<ReadonlySet<string>>;
  /** Finds the last commit up to `head` that added a file. */
  findAddition(path: string, head: string): Promise<string>;
  /** The first parent of a commit. */
  findParent(commit: string): Promise<string>;
  findMergeBase(one: string, other: string): Promise<string>;
  listChangedPaths(before: string, after: string): Promise<readonly string[]>;
  /**
   * Tells whether `head` is `was` with commits of its base merged in and nothing else, as the forge or somebody with a
   * button makes it: then nobody has changed what was proposed.
   */
  bringsOnlyBase(about: { readonly head: string; readonly was: string; readonly base: string }): Promise<boolean>;
  /** Merges lines as git does; undefined when both sides changed the same ones. */
  mergeLines(texts: Texts): Promise<string | undefined>;
}

/** The end of a branch's name that says which versions it maintains. */
const RANGE_NAME = /(?<=^|\/)v?\d+(?:\.\d+)?(?:\.x)?$/;
/** Answers about refs that are kept. */
const KEPT = 64;
const BRANCH_FORMAT = "--format=%(refname:lstrip=2) %(objectname)";
/** Branches of the forge's own making. */
const OURS = /^(?:proposal|agent)\//;

export function createRepository(options: {
  readonly git: Git;
  /** The bare local copy. */
  readonly gitDir: string;
  readonly defaultBranch: string;
  /** Calls the listener after branches or tags of the copy have changed. */
  readonly onRefs: (listener: () => void) => void;
  /** Reads the number of the version at a commit. */
  readonly semverOf: (commit: string) => Promise<string>;
}): Repository {
  const { git, gitDir, defaultBranch, onRefs, semverOf } = options;
  const run = async (...args: readonly string[]) => (await git.run([`--git-dir=${gitDir}`, ...args])).trim();
  const aboutRefs = createRefMemory(onRefs);

  return Object.freeze<Repository>({
    async findBase(commit, { branch, semver, prefersDefault = false } = {}) {
      const args = ["for-each-ref", BRANCH_FORMAT, `--contains=${commit}`, "refs/heads/"] as const;
      const branches = readBranches(await aboutRefs(commit, () => run(...args)));
      const find = (name: string) => branches.find((one) => one.branch === name);
      const main = find(defaultBranch);
      const chosen =
        (branch === undefined ? undefined : find(branch)) ??
        (prefersDefault ? main : undefined) ??
        (semver === undefined ? undefined : await findMaintainer(branches, main, semver, semverOf)) ??
        main ??
        chooseOnly(branches, { defaultBranch, commit, ...defined({ semver }) });
      return toBase(chosen, defaultBranch);
    },
    listTags: async () => {
      const args = ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags/"] as const;
      return new Set((await aboutRefs("tags", () => run(...args))).split("\n"));
    },
    findAddition: (path, head) => run("log", "-1", "--format=%H", "--diff-filter=A", head, "--", path),
    findParent: (commit) => run("rev-parse", `${commit}^1`),
    findMergeBase: (one, other) => run("merge-base", one, other),
    async listChangedPaths(before, after) {
      const diff = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", before, after];
      const names = await git.run([`--git-dir=${gitDir}`, ...diff]);
      return names.split("\0").filter((name) => name !== "");
    },
    bringsOnlyBase: (about) => bringsOnlyBase({ git, gitDir }, about),
    mergeLines: (texts) => mergeLines(git, texts),
  });
}

/** Tells what `Repository.bringsOnlyBase` does, of a bare repository. */
export async function bringsOnlyBase(
  { git, gitDir }: { readonly git: Git; readonly gitDir: string },
  { head, was, base }: Parameters<Repository["bringsOnlyBase"]>[0],
): Promise<boolean> {
  const run = async (...args: readonly string[]) => (await git.run([`--git-dir=${gitDir}`, ...args])).trim();
  const [tree = "", ...parents] = (await run("show", "--no-patch", "--format=%T %P", head)).split(" ");
  const [first, second, ...more] = parents;
  if (first !== was || second === undefined || more.length > 0) return false;
  // Nothing is printed where all of it is on the base.
  if ((await run("rev-list", "--max-count=1", second, `^${base}`)) !== "") return false;
  const merge = [`--git-dir=${gitDir}`, "merge-tree", "--write-tree", was, second];
  // Of a conflict, more than a tree is printed.
  return (await git.run(merge, { statuses: [0, 1] })).trim() === tree;
}

/** Keeps answers about refs until these change: one piece of feedback asks the same several times. */
function createRefMemory(onRefs: (listener: () => void) => void) {
  const known = new LRUCache<string, Promise<string>>({ max: KEPT });
  onRefs(() => known.clear());
  return (question: string, ask: () => Promise<string>): Promise<string> => {
    const kept = known.get(question);
    if (kept !== undefined) return kept;
    const asked = ask();
    // Kept from now on, so that what was asked before a change is not kept after it.
    known.set(question, asked);
    asked.catch(() => known.delete(question));
    return asked;
  };
}

/** The tag of a version on a branch. */
export function toTag(semver: string, build: string): string {
  return build === "" ? `v${semver}` : `v${semver}+${build}`;
}

type Branch = Pick<Base, "branch" | "head">;

/**
 * Says where a change is, in a sentence, unless that goes without saying; and how it would get to a branch of its version's own.
 */
export function explainBranch(
  about: string,
  { branch, build }: Pick<Base, "branch" | "build">,
  from: string,
): string | undefined {
  if (build !== "") return `It is for the branch \`${branch}\`, which has ${about}.`;
  if (isContinued(about, from)) return undefined;
  const name = toLine(about);
  return `It is for \`${branch}\`, which has come to ${from} since ${about}; to change ${name} instead, make the branch \`${name}\` from ${about} and send it there again.`;
}

/** Tells whether a later version is one that a range of the earlier one leads to. */
function isContinued(earlier: string, later: string): boolean {
  return satisfies(later, `^${earlier}`, { includePrerelease: true });
}

/** The line of versions that one belongs to: `1.x`, or before 1.0.0 `0.2.x`. */
function toLine(version: string): string {
  const { major, minor } = new SemVer(version);
  return major === 0 ? `0.${minor}.x` : `${major}.x`;
}

/** Reads lines of a branch and its commit each. */
function readBranches(listed: string): readonly Branch[] {
  return listed.split("\n").flatMap((line) => {
    const [branch = "", head = ""] = line.split(" ");
    return branch === "" || OURS.test(branch) ? [] : [{ branch, head }];
  });
}

function toBase({ branch, head }: Branch, defaultBranch: string): Base {
  const build = branch === defaultBranch ? "" : branch.replaceAll(/[^0-9A-Za-z]+/g, "-").replaceAll(/^-+|-+$/g, "");
  return { branch, head, build };
}

/**
 * Finds the branch whose name is a range with a version (`1.x`, `v1.2`, `release/1.2.x`), the narrowest of several, unless the
 * default branch is still at versions that continue it.
 */
async function findMaintainer(
  branches: readonly Branch[],
  main: Branch | undefined,
  semver: string,
  semverOf: (commit: string) => Promise<string>,
): Promise<Branch | undefined> {
  const ranges = branches.flatMap((one) => {
    const [range = ""] = RANGE_NAME.exec(one.branch) ?? [];
    return range !== "" && satisfies(semver, range, { includePrerelease: true })
      ? [{ one, parts: range.split(".").length }]
      : [];
  });
  const [narrowest] = ranges.toSorted((a, b) => b.parts - a.parts);
  if (narrowest === undefined) return undefined;
  return main !== undefined && isContinued(semver, await semverOf(main.head)) ? undefined : narrowest.one;
}

function chooseOnly(
  branches: readonly Branch[],
  {
    defaultBranch,
    commit,
    semver,
  }: { readonly defaultBranch: string; readonly commit: string; readonly semver?: string },
): Branch {
  const [only, ...others] = branches;
  const line = semver === undefined ? "1.x" : toLine(semver);
  if (only === undefined) {
    const push = `git push origin ${commit}:refs/heads/${line}`;
    throw new CairnError(
      "CONFLICT",
      `No branch has this version any more, so nothing made from it could land. Make one (\`${push}\`) and send it again.`,
    );
  }
  if (others.length > 0) {
    const names = branches.map(({ branch }) => `\`${branch}\``).join(", ");
    throw new CairnError(
      "CONFLICT",
      `Several branches have this version (${names}); merge it into \`${defaultBranch}\` first, or call the one that maintains it \`${line}\`.`,
    );
  }
  return only;
}

async function mergeLines(git: Git, { ours, before, theirs }: Texts): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-merge-"));
  try {
    const paths = await Promise.all(
      Object.entries({ ours, before, theirs }).map(async ([name, text]) => {
        await writeFile(join(folder, name), text);
        return join(folder, name);
      }),
    );
    // Fails with the number of conflicts.
    return await git.run(["merge-file", "-p", "--quiet", "--", ...paths]).catch(() => undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
