import { LRUCache } from "lru-cache";
import { access, constants, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";
import { removeStaleLocks } from "../../versions/git/stale-locks.ts";
import { defined } from "../../json/defined.ts";
import { CAIRN_AUTHOR } from "../cairn-author.ts";

/** The repository of a local forge: its objects and refs, never a work tree. */
export interface LocalRepository {
  /** Runs git in it; `index` is a path, `author` stands beside Cairn itself, who commits. */
  run(args: readonly string[], options?: RepositoryRun): Promise<string>;
  /** Those of the named refs that there are. */
  readRefs(names: readonly string[]): Promise<ReadonlyMap<string, KnownRef>>;
  /** All or nothing; rejects when a ref is not at `from`, or exists where there is no `from`. */
  updateRefs(updates: readonly RefUpdate[]): Promise<void>;
  /** The id of a tag object. */
  writeTag(name: string, oid: string, message: string): Promise<string>;
  hasCommit(oid: string): Promise<boolean>;
  /** Makes a commit on one parent. */
  writeCommit(commit: {
    readonly tree: string;
    readonly parent: string;
    readonly message: string;
    readonly author: Author;
  }): Promise<string>;
  /** Takes whole ids of commits. */
  isAncestor(older: string, newer: string): Promise<boolean>;
  /** Finds the folder where one of the refs is checked out, if any. */
  findCheckout(refs: readonly string[]): Promise<string | undefined>;
}

export interface RepositoryRun {
  readonly input?: string;
  readonly index?: string;
  readonly author?: Author;
  readonly statuses?: readonly number[];
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface KnownRef {
  readonly oid: string;
  /** The commit that an annotated tag points at; else `oid` again. */
  readonly target: string;
  /** The first paragraph of its message. */
  readonly subject: string;
}

export interface RefUpdate {
  readonly ref: string;
  /** Absent: it is made. */
  readonly from?: string;
  /** Absent: it is taken away. */
  readonly to?: string;
}

/** Only the repository's own configuration has a say, and not where it would change what is written. */
const DEAF = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  // A promised object is never fetched.
  GIT_ALLOW_PROTOCOL: "",
};

const CONFIG = [
  "i18n.commitEncoding=UTF-8",
  "i18n.logOutputEncoding=UTF-8",
  "core.attributesFile=/dev/null",
  // Newer gits read attributes from HEAD where there is no work tree, and those can name a way to merge; this names no tree.
  "attr.tree=refs/cairn/no-attributes",
  "core.splitIndex=false",
  // A change that was reported as landed is there after a loss of power.
  "core.fsync=loose-object,reference",
].flatMap((setting) => ["-c", setting]);

/** Commits that are remembered to be there, and pairs of which it is remembered whether one came before the other. */
const MEMORY_LIMIT = 1_000;
const REF_FORMAT = "%(refname)%00%(objectname)%00%(*objectname)%00%(contents:subject)";

/** The first git whose `merge-tree` writes trees. */
const OLDEST = [2, 38] as const;

type Run = LocalRepository["run"];

export async function openLocalRepository(git: Git, path: string, now: () => number): Promise<LocalRepository> {
  await checkVersion(git);
  const { gitDir, isBare } = await findWritable(git, path);
  const run = createRun(git, gitDir, now);
  const commits = new LRUCache<string, true>({ max: MEMORY_LIMIT });
  // A commit's ancestors never change.
  const ancestry = new LRUCache<string, boolean>({ max: MEMORY_LIMIT });
  return Object.freeze<LocalRepository>({
    run,
    readRefs: (names) => readRefs(run, names),
    async updateRefs(updates) {
      const lines = updates.map(({ ref, from, to }) => {
        if (to === undefined) return `delete ${ref}\0${from ?? ""}\0`;
        return from === undefined ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from}\0`;
      });
      const update = () => run(["update-ref", "--stdin", "-z", "--no-deref"], { input: lines.join("") });
      await update().catch(async (error: unknown) => {
        // Where people work, a lock may be an editor that has waited for its user since this morning.
        if (!isBare || !isLocked(error)) throw error;
        await removeStaleLocks(gitDir);
        await update();
      });
    },
    async writeTag(name, oid, message) {
      const tagger = `${CAIRN_AUTHOR.name} <${CAIRN_AUTHOR.email}> ${Math.floor(now() / 1000)} +0000`;
      const input = `object ${oid}\ntype commit\ntag ${name}\ntagger ${tagger}\n\n${message}\n`;
      return (await run(["mktag"], { input })).trim();
    },
    async hasCommit(oid) {
      if (commits.has(oid)) return true;
      const input = `${oid}\n`;
      const isThere = (await run(["cat-file", "--batch-check=%(objectname) %(objecttype)"], { input })).trim();
      if (isThere !== `${oid} commit`) return false;
      commits.set(oid, true);
      return true;
    },
    async writeCommit({ tree, parent, message, author }) {
      const args = ["commit-tree", "--no-gpg-sign", "-p", parent, "-F", "-", tree];
      const commit = (await run(args, { input: message, author })).trim();
      commits.set(commit, true);
      ancestry.set(`${parent} ${commit}`, true);
      ancestry.set(`${commit} ${parent}`, false);
      return commit;
    },
    async isAncestor(older, newer) {
      const pair = `${older} ${newer}`;
      const known = ancestry.get(pair);
      if (known !== undefined) return known;
      const isOlder = (await run(["rev-list", "--max-count=1", older, "--not", newer])).trim() === "";
      ancestry.set(pair, isOlder);
      return isOlder;
    },
    findCheckout: async (refs) => {
      // Git is asked only where it could name a folder.
      if (isBare && !(await hasWorktrees(gitDir))) return undefined;
      return findCheckout(run, refs);
    },
  });
}

/** Finds the repository of a path, in which this process may make objects and move refs. @throws BAD_REQUEST UNAVAILABLE */
export async function findWritable(git: Git, path: string): ReturnType<typeof findRepository> {
  const found = await findRepository(git, path);
  for (const part of ["objects", "refs"]) {
    await access(join(found.gitDir, part), constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
      const message = `The repository \`${path}\` cannot be written by this process (${cause.code}), so nothing changes it.`;
      throw new CairnError("UNAVAILABLE", message, { cause });
    });
  }
  return found;
}

async function findRepository(git: Git, path: string): Promise<{ readonly gitDir: string; readonly isBare: boolean }> {
  const asked = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--is-bare-repository"];
  // A folder inside a checkout is not that checkout's repository.
  const environment = { ...DEAF, GIT_CEILING_DIRECTORIES: dirname(resolve(path)) };
  const output = await git.run(["-C", path, ...asked], { environment }).catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${path}\` is not a git repository.`, { cause });
  });
  const [gitDir = "", isBare] = output.trimEnd().split("\n");
  return { gitDir, isBare: isBare === "true" };
}

function createRun(git: Git, gitDir: string, now: () => number): Run {
  return (args, options = {}) => {
    const { input, index, statuses, author = CAIRN_AUTHOR } = options;
    const date = `${Math.floor(now() / 1000)} +0000`;
    // `--bare`: a folder that git happens to be started in is nobody's work tree, and its attributes mean nothing.
    return git.run([`--git-dir=${gitDir}`, "--bare", ...CONFIG, ...args], {
      ...defined({ input, statuses }),
      environment: {
        ...DEAF,
        ...defined({ GIT_INDEX_FILE: index }),
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: CAIRN_AUTHOR.name,
        GIT_COMMITTER_EMAIL: CAIRN_AUTHOR.email,
        GIT_COMMITTER_DATE: date,
      },
    });
  };
}

async function readRefs(run: Run, names: readonly string[]): Promise<ReadonlyMap<string, KnownRef>> {
  const refs = new Map<string, KnownRef>();
  for (const line of (await run(["for-each-ref", `--format=${REF_FORMAT}`, "--", ...names])).split("\n")) {
    const [ref = "", oid = "", target, subject = ""] = line.split("\0");
    // A name is also the beginning of longer ones.
    if (names.includes(ref)) refs.set(ref, { oid, target: target || oid, subject });
  }
  return refs;
}

/** Tells whether git found a lock, perhaps of a git that was killed. */
function isLocked(error: unknown): boolean {
  return error instanceof CairnError && /\.lock': File exists/.test(error.message);
}

/** Tells whether any further work tree was ever added to a repository. */
async function hasWorktrees(gitDir: string): Promise<boolean> {
  const isThere = await stat(join(gitDir, "worktrees")).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  return isThere !== undefined;
}

async function findCheckout(run: Run, refs: readonly string[]): Promise<string | undefined> {
  const trees = (await run(["worktree", "list", "--porcelain", "-z"])).split("\0\0");
  for (const tree of trees.map((text) => text.split("\0"))) {
    const isGone = tree.some((line) => /^prunable(?: |$)/.test(line));
    if (!isGone && refs.some((ref) => tree.includes(`branch ${ref}`))) return tree[0]?.replace(/^worktree /, "");
  }
  return undefined;
}

/** Refuses a git that cannot change a local repository. @throws INTERNAL_ERROR */
export async function checkVersion(git: Git): Promise<void> {
  const version = await git.run(["--version"]);
  const [, major, minor] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major !== undefined && minor !== undefined) {
    if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  }
  throw new CairnError(
    "INTERNAL_ERROR",
    `\`git --version\` says \`${version.trim()}\`; changing a local repository needs git ${OLDEST.join(".")} or newer.`,
  );
}
