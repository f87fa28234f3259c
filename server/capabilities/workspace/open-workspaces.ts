import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { createInPlace } from "../../versions/git/create-in-place.ts";
import type { Git } from "../../versions/git/git.ts";
import { quote } from "./check-path.ts";
import { type Files, createFiles } from "./files.ts";
import { type History, createHistory } from "./git/history.ts";
import { type RunRef, createRunRef, removeRunRefs } from "./git/run-refs.ts";
import { createWorkspaceGit } from "./git/workspace-git.ts";
import {
  findLocalCopy,
  makeWorkspace,
  readBase,
  type WantsPath,
  type WorkspaceBase,
  writeTree,
} from "./make-workspace.ts";
import { type PatchReport, applyPatch } from "./patch/apply-patch.ts";
import { finishPending } from "./patch/pending.ts";
import type { CommandPolicy } from "./sandbox/command-policy.ts";
import { type Network, systemNetwork } from "./sandbox/network.ts";
import type { Sandbox } from "./sandbox/probe-sandbox.ts";
import { type CommandRequest, type CommandResult, runCommand } from "./sandbox/run-command.ts";
import { type Serial, createSerial } from "../../serial.ts";
import { runSystemProgram } from "./system-program.ts";
import { toWorkspaceFolder } from "./workspace-folder.ts";

/** The files of one run, to which things are done one at a time. */
export interface Workspace {
  readonly runId: string;
  /** The commit it was made from. */
  readonly base: string;
  readonly fs: Files & { applyPatch(diff: string): Promise<PatchReport> };
  readonly exec: { run(request: CommandRequest, policy: CommandPolicy, signal?: AbortSignal): Promise<CommandResult> };
  readonly git: History;
  /** Makes all files those of the commit again. One that was cut short can be done again. */
  reset(): Promise<void>;
  /** Gives the folder with the files to somebody who reads them, while nothing else happens to them. */
  inspect<T>(read: (tree: string) => Promise<T>): Promise<T>;
}

export interface Workspaces {
  /**
   * The workspace of a run at a full commit id, made unless it is there. Rejects with NOT_FOUND for an unknown commit,
   * CONFLICT when the run's workspace, or what it has committed, is of another. One that is made has only the files that
   * `wants` says, where it is given; nothing can be committed in that.
   */
  create(runId: string, commit: string, wants?: WantsPath): Promise<Workspace>;
  find(runId: string): Promise<Workspace | undefined>;
  /** Takes the files away, after ending a command; what the run has committed stays. */
  remove(runId: string): Promise<void>;
  /** Takes away all whose ids begin so, and what they have committed. */
  discard(prefix: string): Promise<void>;
  /** Ids of the runs that have a workspace. */
  list(): Promise<readonly string[]>;
  /** Ends commands; nothing can be done in workspaces afterwards. */
  close(): Promise<void>;
}

interface Slot {
  readonly serial: Serial;
  /** Ends what is running. */
  stop: AbortController;
}

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const REMOVED = ".removed";

export async function openWorkspaces(options: {
  readonly git: Git;
  /** The local copy: a bare repository, or one with a checkout. */
  readonly repository: string;
  /** Where workspaces are, and nothing else. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Through which commands reach the hosts that a policy names for them. */
  readonly network?: Network;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): Promise<Workspaces> {
  const { git, folder, sandbox, network = systemNetwork, now } = options;
  const copy = await findLocalCopy(git, options.repository);
  const slots = new Map<string, Slot>();
  const closed = new AbortController();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // What a crash left half made or half removed.
  for (const name of await readdir(folder)) if (!RUN_ID.test(name)) await removeTree(join(folder, name));

  function slotOf(runId: string): Slot {
    if (!RUN_ID.test(runId)) throw new CairnError("BAD_REQUEST", `${quote(runId)} is not the id of a run.`);
    const slot = slots.get(runId) ?? { serial: createSerial(), stop: new AbortController() };
    slots.set(runId, slot);
    return slot;
  }

  function toWorkspace(runId: string, { commit: base, tree = base }: WorkspaceBase): Workspace {
    const paths = toWorkspaceFolder(join(folder, runId));
    const { stop } = slotOf(runId);
    const own = createWorkspaceGit(git, paths, copy.objects);
    const files = createFiles(paths.tree, paths.temporary);
    const history = createHistory({
      git: own,
      folder: paths,
      base,
      tree,
      ref: createRunRef(git, copy.gitDir, runId),
      now,
    });
    const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
      slotOf(runId).serial(async () => {
        if (closed.signal.aborted) throw new CairnError("UNAVAILABLE", "The service is closing its workspaces.");
        if (stop.signal.aborted) throw new CairnError("NOT_FOUND", `The workspace of the run \`${runId}\` is gone.`);
        await finishPending(paths);
        return work();
      });
    return Object.freeze({
      runId,
      base,
      fs: Object.freeze({
        read: (path: string) => inTurn(() => files.read(path)),
        list: (path: string) => inTurn(() => files.list(path)),
        write: (path: string, content: string) => inTurn(() => files.write(path, content)),
        remove: (path: string) => inTurn(() => files.remove(path)),
        applyPatch: (text: string) => inTurn(() => applyPatch({ folder: paths, git: own, text })),
      }),
      exec: Object.freeze({
        run: (request: CommandRequest, policy: CommandPolicy, signal?: AbortSignal) => {
          const ends = [stop.signal, closed.signal, ...(signal === undefined ? [] : [signal])];
          return inTurn(() =>
            runCommand({ sandbox, tree: paths.tree, request, policy, network, signal: AbortSignal.any(ends) }),
          );
        },
      }),
      git: Object.freeze({
        status: () => inTurn(history.status),
        diff: (only?: readonly string[]) => inTurn(() => history.diff(only)),
        commit: (request: Parameters<History["commit"]>[0]) => inTurn(() => history.commit(request)),
      }),
      reset: () =>
        inTurn(async () => {
          await removeTree(paths.tree);
          await mkdir(paths.tree);
          await writeTree(own, paths, tree);
        }),
      inspect: <T>(read: (tree: string) => Promise<T>) => inTurn(() => read(paths.tree)),
    });
  }

  async function find(runId: string): Promise<Workspace | undefined> {
    const base = await readBase(toWorkspaceFolder(join(folder, runId)));
    return base === undefined ? undefined : toWorkspace(runId, base);
  }

  async function create(runId: string, commit: string, wants?: WantsPath): Promise<Workspace> {
    const root = join(folder, runId);
    const found = await find(runId);
    if (found !== undefined && found.base !== commit) {
      throw new CairnError("CONFLICT", `The run \`${runId}\` has a workspace made from \`${found.base}\` already.`);
    }
    const ref = createRunRef(git, copy.gitDir, runId);
    if (found === undefined) await checkCommit(git, copy.gitDir, commit);
    const isNew = await holdCommit(ref, runId, commit, found !== undefined);
    if (found !== undefined) return found;
    await createInPlace(root, (unfinished) => makeWorkspace({ git, copy, root: unfinished, commit, wants })).catch(
      async (error: unknown) => {
        if (isNew) await ref.remove();
        throw error;
      },
    );
    return toWorkspace(runId, (await readBase(toWorkspaceFolder(root))) ?? { commit });
  }

  async function remove(runId: string): Promise<void> {
    const root = join(folder, runId);
    const base = await readBase(toWorkspaceFolder(root));
    if (base === undefined) return;
    const ref = createRunRef(git, copy.gitDir, runId);
    if ((await ref.read()) === base.commit) await ref.remove();
    await removeFolder(root);
  }

  async function list(): Promise<readonly string[]> {
    return (await readdir(folder)).filter((name) => RUN_ID.test(name)).sort();
  }

  function stopThen(runId: string, work: () => Promise<void>): Promise<void> {
    const slot = slotOf(runId);
    slot.stop.abort();
    return slot.serial(async () => {
      await work();
      slot.stop = new AbortController();
    });
  }

  return Object.freeze({
    create: (runId: string, commit: string, wants?: WantsPath) =>
      slotOf(runId).serial(() => create(runId, commit, wants)),
    find: (runId: string) => slotOf(runId).serial(() => find(runId)),
    remove: (runId: string) => stopThen(runId, () => remove(runId)),
    discard: async (prefix: string) => {
      const ids = (await list()).filter((id) => id.startsWith(prefix));
      await Promise.all(ids.map((id) => stopThen(id, () => removeFolder(join(folder, id)))));
      await removeRunRefs(git, copy.gitDir, prefix);
    },
    list,
    close: async () => {
      closed.abort();
      await Promise.all([...slots.values()].map(({ serial }) => serial(async () => undefined)));
    },
  });
}

async function checkCommit(git: Git, gitDir: string, commit: string): Promise<void> {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
    throw new CairnError("BAD_REQUEST", `${quote(commit)} is not the full id of a commit.`);
  }
  const found = await git.run([`--git-dir=${gitDir}`, "cat-file", "-t", commit]).catch((cause: unknown) => {
    throw new CairnError("NOT_FOUND", `The local copy of the repository has no commit \`${commit}\`.`, { cause });
  });
  if (found.trim() !== "commit") throw new CairnError("NOT_FOUND", `\`${commit}\` is a ${found.trim()}, not a commit.`);
}

/**
 * Keeps the commit from being tidied away as long as the workspace is there; a run that went on from it keeps more.
 * Whether that was not so before.
 */
async function holdCommit(ref: RunRef, runId: string, commit: string, isOpen: boolean): Promise<boolean> {
  const held = await ref.read();
  if (held === undefined) await ref.move(undefined, commit);
  if (held === undefined || held === commit || isOpen) return held === undefined;
  const message = `The run \`${runId}\` has committed \`${held}\`; its workspace can only be made from that again.`;
  throw new CairnError("CONFLICT", message, { details: { commit: held } });
}

async function removeFolder(root: string): Promise<void> {
  await removeTree(`${root}${REMOVED}`);
  await rename(root, `${root}${REMOVED}`);
  await removeTree(`${root}${REMOVED}`);
}

async function removeTree(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined)) === undefined) return;
  // Folders that a command took the rights from could not be emptied.
  if (process.getuid?.() !== 0) await runSystemProgram("chmod", ["-R", "u+rwX", "--", path]).catch(() => undefined);
  await runSystemProgram("rm", ["-rf", "--one-file-system", "--", path]);
}
