import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import { createInPlace } from "../../versions/git/create-in-place.ts";
import type { Git } from "../../versions/git/git.ts";
import { quote } from "./check-path.ts";
import { type RunRef, createRunRef, removeRunRefs } from "./git/run-refs.ts";
import { findLocalCopy, makeWorkspace, readBase, type WantsPath, type WorkspaceBase } from "./make-workspace.ts";
import { type Network, systemNetwork } from "./sandbox/network.ts";
import type { Sandbox } from "./sandbox/probe-sandbox.ts";
import { type Serial, createSerial } from "../../serial.ts";
import { createWorkspace, removeTree, type Workspace, type WorkspaceSurroundings } from "./workspace.ts";
import { toWorkspaceFolder } from "./workspace-folder.ts";

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
  /** Takes away all whose ids begin with `prefix`, and what they have committed. */
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

export interface WorkspacesOptions {
  readonly git: Git;
  /** The local copy: a bare repository, or one with a checkout. */
  readonly repository: string;
  /** Folder for workspaces alone. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Through which commands reach the hosts that a policy names for them. */
  readonly network?: Network;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface State extends WorkspaceSurroundings {
  readonly folder: string;
  readonly slots: Map<string, Slot>;
}

/** Opens the workspaces of a folder, less those that a crash left half made or half removed. */
export async function openWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  const { git, repository, folder, network = systemNetwork } = options;
  const copy = await findLocalCopy(git, repository);
  const closing = new AbortController();
  const state: State = { ...options, copy, network, closed: closing.signal, slots: new Map() };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (!RUN_ID.test(name)) await removeTree(join(folder, name));
  const list = async () => (await readdir(folder)).filter((name) => RUN_ID.test(name)).sort();

  return Object.freeze({
    create: (runId: string, commit: string, wants?: WantsPath) =>
      slotOf(state, runId).serial(() => create(state, runId, commit, wants)),
    find: (runId: string) => slotOf(state, runId).serial(() => find(state, runId)),
    remove: (runId: string) => stopThen(state, runId, () => remove(state, runId)),
    discard: async (prefix: string) => {
      const ids = (await list()).filter((id) => id.startsWith(prefix));
      await Promise.all(ids.map((id) => stopThen(state, id, () => removeFolder(join(folder, id)))));
      await removeRunRefs(git, copy.gitDir, prefix);
    },
    list,
    close: async () => {
      closing.abort();
      await Promise.all([...state.slots.values()].map(({ serial }) => serial(async () => undefined)));
    },
  });
}

/** @throws BAD_REQUEST for what is no id of a run, and so no name of a folder. */
function slotOf({ slots }: State, runId: string): Slot {
  if (!RUN_ID.test(runId)) throw new CairnError("BAD_REQUEST", `${quote(runId)} is not the id of a run.`);
  const slot = slots.get(runId) ?? { serial: createSerial(), stop: new AbortController() };
  slots.set(runId, slot);
  return slot;
}

/** Ends what is running in a workspace, then does `work`. */
function stopThen(state: State, runId: string, work: () => Promise<void>): Promise<void> {
  const slot = slotOf(state, runId);
  slot.stop.abort();
  return slot.serial(async () => {
    await work();
    slot.stop = new AbortController();
  });
}

function toWorkspace(state: State, runId: string, base: WorkspaceBase): Workspace {
  const { serial, stop } = slotOf(state, runId);
  const folder = toWorkspaceFolder(join(state.folder, runId));
  return createWorkspace({ ...state, runId, folder, base, serial, removed: stop.signal });
}

async function find(state: State, runId: string): Promise<Workspace | undefined> {
  const base = await readBase(toWorkspaceFolder(join(state.folder, runId)));
  return base === undefined ? undefined : toWorkspace(state, runId, base);
}

async function create(state: State, runId: string, commit: string, wants?: WantsPath): Promise<Workspace> {
  const { git, copy } = state;
  const root = join(state.folder, runId);
  const found = await find(state, runId);
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
  return toWorkspace(state, runId, (await readBase(toWorkspaceFolder(root))) ?? { commit });
}

async function remove({ git, copy, folder }: State, runId: string): Promise<void> {
  const root = join(folder, runId);
  const base = await readBase(toWorkspaceFolder(root));
  if (base === undefined) return;
  const ref = createRunRef(git, copy.gitDir, runId);
  if ((await ref.read()) === base.commit) await ref.remove();
  await removeFolder(root);
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
 * Keeps git from tidying the commit away as long as the workspace is there; a run that went on from it keeps more. True
 * when nothing of the run was kept before.
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
