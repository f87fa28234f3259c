import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../../errors.ts";
import { checkPath, quote } from "../check-path.ts";
import { WORKSPACE_LIMITS } from "../limits.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import { type Change, type Changes, type Unfit, withPaths, withSnapshot } from "./read-changes.ts";
import type { RunRef } from "./run-refs.ts";
import type { WorkspaceGit } from "./workspace-git.ts";

export interface WorkspaceStatus {
  /** The commit that the workspace was made from. */
  readonly base: string;
  /** The last commit of the run; the base as long as there is none. */
  readonly head: string;
  /** Differences from the base, committed or not, by path. */
  readonly files: readonly (Change & { readonly committed: boolean })[];
  /** Files that can never be committed. */
  readonly unfit: readonly Unfit[];
}

export interface WorkspaceDiff {
  /** Unified, as far as the limit goes; files that have no text are only named. */
  readonly diff: string;
  /** Of the whole diff. */
  readonly bytes: number;
  readonly truncated: boolean;
}

export interface CommitRequest {
  readonly message: string;
  /** The only paths that may have changed. */
  readonly allowedFiles: readonly string[];
  readonly author: { readonly name: string; readonly email: string };
}

export interface History {
  status(): Promise<WorkspaceStatus>;
  /** Of all files, or of those alone that are known to be all that have changed. */
  diff(paths?: readonly string[]): Promise<WorkspaceDiff>;
  /** Rejects with FORBIDDEN, naming them, when other files changed; CONFLICT when nothing did. */
  commit(
    request: CommitRequest,
  ): Promise<{ readonly commit: string; readonly parent: string; readonly files: readonly string[] }>;
}

const MAX_NAMED = 20;

export function createHistory(options: {
  readonly git: WorkspaceGit;
  readonly folder: WorkspaceFolder;
  readonly base: string;
  /** Initial files: the base, or a tree of some files of it. */
  readonly tree: string;
  readonly ref: RunRef;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): History {
  const { git, folder, base, tree: first, ref, now } = options;
  const changesSince = (commit: string) =>
    withSnapshot({ git, folder, commit }, async ({ files, unfit }): Promise<Changes> => ({ files, unfit }));

  async function readHead(): Promise<string> {
    const head = await ref.read();
    if (head !== undefined) return head;
    throw new CairnError("INTERNAL_ERROR", "The ref of the run is gone from the local copy of the repository.");
  }

  async function commitAll(head: string, request: CommitRequest): Promise<string> {
    const { name, email } = request.author;
    const date = `${Math.floor(now() / 1000)} +0000`;
    const environment = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    };
    return withSnapshot({ git, folder, commit: head, keepObjects: true }, async ({ index }) => {
      const keep = { index, keepObjects: true };
      const tree = (await git.run(["write-tree"], keep)).trim();
      const args = ["commit-tree", "--no-gpg-sign", "-p", head, "-F", "-", tree];
      return (await git.run(args, { ...keep, input: request.message, environment })).trim();
    });
  }

  return Object.freeze({
    status: async () => {
      const head = await readHead();
      const { files, unfit } = await changesSince(first);
      const since = head === base ? files : (await changesSince(head)).files;
      const uncommitted = new Set(since.map(({ path }) => path));
      return { base, head, files: files.map((file) => ({ ...file, committed: !uncommitted.has(file.path) })), unfit };
    },
    diff: (paths?: readonly string[]) => {
      const read = ({ index }: { readonly index: string }) => readDiff(git, folder, index, first);
      return paths === undefined
        ? withSnapshot({ git, folder, commit: first }, read)
        : withPaths({ git, folder, commit: first, paths }, read);
    },
    commit: async (request: CommitRequest) => {
      checkRequest(request);
      const head = await readHead();
      const changes = await changesSince(head);
      refuseOthers(changes, new Set(request.allowedFiles));
      if (changes.files.length === 0) {
        throw new CairnError("CONFLICT", `Nothing differs from the commit \`${head}\`, so there is nothing to commit.`);
      }
      const commit = await commitAll(head, request);
      await ref.move(head, commit);
      return { commit, parent: head, files: changes.files.map(({ path }) => path) };
    },
  });
}

async function readDiff(
  git: WorkspaceGit,
  folder: WorkspaceFolder,
  index: string,
  base: string,
): Promise<WorkspaceDiff> {
  const output = join(folder.temporary, randomBytes(12).toString("hex"));
  const form = ["-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index"];
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=all"];
  try {
    await git.run(["diff-index", "--cached", ...form, ...prefixes, `--output=${output}`, base], { index });
    const file = await open(output);
    try {
      const bytes = (await file.stat()).size;
      const buffer = Buffer.alloc(Math.min(bytes, WORKSPACE_LIMITS.diffBytes));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      const truncated = bytes > buffer.length;
      // A cut diff ends with its last whole line.
      const end = truncated ? buffer.lastIndexOf("\n") + 1 : bytesRead;
      return { diff: buffer.subarray(0, end).toString("utf8"), bytes, truncated };
    } finally {
      await file.close();
    }
  } finally {
    await rm(output, { force: true });
  }
}

function checkRequest({ message, allowedFiles, author }: CommitRequest): void {
  const fault =
    message.trim() === ""
      ? "the message is empty"
      : Buffer.byteLength(message) > WORKSPACE_LIMITS.messageBytes
        ? `the message has more than ${WORKSPACE_LIMITS.messageBytes} bytes`
        : !message.isWellFormed() || message.includes("\0")
          ? "the message is not text"
          : [author.name, author.email].some(
                (text) => !/^[^\p{Cc}<>]{1,200}$/u.test(text) || !/[\p{L}\p{N}]/u.test(text),
              )
            ? "the author's name and address need 1 to 200 characters other than `<`, `>` and control characters"
            : undefined;
  if (fault !== undefined) throw new CairnError("BAD_REQUEST", `The commit is refused: ${fault}.`);
  for (const path of allowedFiles) checkPath(path);
}

/** A commit has exactly what was allowed: everything else that changed, by whomever, stops it. */
function refuseOthers({ files, unfit }: Changes, allowed: ReadonlySet<string>): void {
  const others = files
    .filter(({ path }) => !allowed.has(path))
    .map(({ path }) => ({ path, reason: "it is not allowed" }));
  const kinds = files
    .filter(({ path, kind }) => allowed.has(path) && (kind === "symlink" || kind === "submodule"))
    .map(({ path, kind }) => ({ path, reason: `it is a ${kind}` }));
  const refused = [...others, ...kinds, ...unfit];
  if (refused.length === 0) return;
  const named = refused.slice(0, MAX_NAMED).map(({ path, reason }) => `${quote(path)} (${reason})`);
  const more = refused.length > MAX_NAMED ? `, and ${refused.length - MAX_NAMED} more` : "";
  const message = `Nothing is committed, because this changed as well: ${named.join(", ")}${more}.`;
  throw new CairnError("FORBIDDEN", message, {
    details: {
      files: refused.slice(0, MAX_NAMED).map(({ path, reason }) => ({ path: path.toWellFormed(), reason })),
      count: refused.length,
    },
  });
}
