import { LRUCache } from "lru-cache";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";
import type { Texts } from "../edit/merge-yaml.ts";

/** The branch that a change lands on, and where it is. */
export interface Base {
  readonly branch: string;
  readonly head: string;
  /** End of the names of its versions: nothing on the default branch, elsewhere the branch's name. */
  readonly build: string;
}

/** Questions about the commits of the local copy, by whole ids, which git answers. Nothing here changes the copy. */
export interface Repository {
  /**
   * Finds the branch that has a commit: the preferred one, which is the default branch where none is named, or else the only
   * other one, because several evolutions may go on side by side. Rejects with CONFLICT when no branch has it, or several do.
   */
  findBase(commit: string, preferred?: string): Promise<Base>;
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

/** Answers about refs that are kept. */
const KEPT = 64;
/** Branches of the forge's own making. */
const OURS = /^(?:proposal|agent)\//;

export function createRepository(options: {
  readonly git: Git;
  /** The bare local copy. */
  readonly gitDir: string;
  readonly defaultBranch: string;
  /** Calls the listener after branches or tags of the copy have changed. */
  readonly onRefs: (listener: () => void) => void;
}): Repository {
  const { git, gitDir, defaultBranch, onRefs } = options;
  const run = async (...args: readonly string[]) => (await git.run([`--git-dir=${gitDir}`, ...args])).trim();
  const aboutRefs = createRefMemory(onRefs);

  return Object.freeze<Repository>({
    async findBase(commit, preferred = defaultBranch) {
      const format = "--format=%(refname:lstrip=2) %(objectname)";
      const args = ["for-each-ref", format, `--contains=${commit}`, "refs/heads/"] as const;
      return chooseBase(await aboutRefs(commit, () => run(...args)), preferred);
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
    async bringsOnlyBase({ head, was, base }) {
      const [tree = "", ...parents] = (await run("show", "--no-patch", "--format=%T %P", head)).split(" ");
      const [first, second, ...more] = parents;
      if (first !== was || second === undefined || more.length > 0) return false;
      // Nothing is printed where all of it is on the base.
      if ((await run("rev-list", "--max-count=1", second, `^${base}`)) !== "") return false;
      const merge = [`--git-dir=${gitDir}`, "merge-tree", "--write-tree", was, second];
      // Of a conflict, more than a tree is printed.
      return (await git.run(merge, { statuses: [0, 1] })).trim() === tree;
    },
    mergeLines: (texts) => mergeLines(git, texts),
  });
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

/** Chooses among lines of a branch and its commit each. */
function chooseBase(listed: string, defaultBranch: string): Base {
  const branches = listed.split("\n").flatMap((line) => {
    const [branch = "", head = ""] = line.split(" ");
    return branch === "" || OURS.test(branch) ? [] : [{ branch, head }];
  });
  const main = branches.find(({ branch }) => branch === defaultBranch);
  if (main !== undefined) return { ...main, build: "" };
  const [only, ...others] = branches;
  if (only === undefined) {
    throw new CairnError("CONFLICT", "No branch has this version any more, so nothing made from it could land.");
  }
  if (others.length > 0) {
    const names = branches.map(({ branch }) => `\`${branch}\``).join(", ");
    throw new CairnError(
      "CONFLICT",
      `Several branches have this version (${names}); merge it into \`${defaultBranch}\` first.`,
    );
  }
  return { ...only, build: only.branch.replaceAll(/[^0-9A-Za-z]+/g, "-").replaceAll(/^-+|-+$/g, "") };
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
