import { mkdir, stat } from "node:fs/promises";
import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";
import { type Files, createFiles } from "./files.ts";
import { type History, createHistory } from "./git/history.ts";
import { createRunRef } from "./git/run-refs.ts";
import { createWorkspaceGit, lendRepository } from "./git/workspace-git.ts";
import { type LocalCopy, type WorkspaceBase, writeTree } from "./make-workspace.ts";
import { type PatchReport, applyPatch } from "./patch/apply-patch.ts";
import { finishPending } from "./patch/pending.ts";
import type { CommandPolicy } from "./sandbox/command-policy.ts";
import type { Network } from "./sandbox/network.ts";
import type { Sandbox } from "./sandbox/probe-sandbox.ts";
import { type CommandRequest, type CommandResult, runCommand } from "./sandbox/run-command.ts";
import type { RunPlan, RunVerification } from "../knowledge/api.ts";
import type { propose } from "../tuner/actions/propose.ts";
import type { Serial } from "../../serial.ts";
import { runSystemProgram } from "./system-program.ts";
import type { WorkspaceFolder } from "./workspace-folder.ts";

/** The files of one run, to which things are done one at a time. */
export interface Workspace {
  readonly runId: string;
  /** The commit that it was made from. */
  readonly base: string;
  readonly fs: Files & { applyPatch(diff: string): Promise<PatchReport> };
  readonly exec: { run(request: CommandRequest, policy: CommandPolicy, signal?: AbortSignal): Promise<CommandResult> };
  readonly git: History;
  /** Makes all files those of the commit again. One that was cut short can be done again. */
  reset(): Promise<void>;
  /** Lends the folder with the files to `read`, while nothing else happens to them. */
  inspect<T>(read: (tree: string) => Promise<T>): Promise<T>;
}

/** Tries what a workspace holds, as changes of the Architect are tried. */
export type VerifyWorkspace = (request: {
  readonly workspace: Workspace;
  /** Whose recorded calls may be made again. */
  readonly tenant: string;
  readonly signal: AbortSignal;
  /** Hears of each check, in words, as soon as it is done. */
  readonly onCheck: (message: string) => void;
}) => Promise<RunVerification>;

/** Plans what words ask of the commit that a workspace was made from; the workspace stays as it is. */
export type PlanObjective = (request: {
  readonly runId: string;
  readonly commit: string;
  readonly tenant: string;
  readonly objective: string;
  /** Title of the reading that the requester has chosen; absent: the words count. */
  readonly choice: string | undefined;
  /** Reads what tuning proposes for an experiment of the version; rejects with CONFLICT where it proposes nothing. */
  readonly propose: (experiment: string) => ReturnType<typeof propose>;
  readonly signal: AbortSignal;
  /** Hears what is being done, in words. */
  readonly onStep: (message: string) => void;
}) => Promise<RunPlan>;

/** The parts that all workspaces of a service share. */
export interface WorkspaceSurroundings {
  readonly git: Git;
  readonly copy: LocalCopy;
  readonly sandbox: Sandbox;
  /** Through which commands reach the hosts that a policy names for them. */
  readonly network: Network;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborts when the service closes its workspaces. */
  readonly closed: AbortSignal;
}

export interface WorkspaceOptions extends WorkspaceSurroundings {
  readonly runId: string;
  readonly folder: WorkspaceFolder;
  readonly base: WorkspaceBase;
  /** Lets one thing at a time happen to the files. */
  readonly serial: Serial;
  /** Aborts when the workspace is taken away. */
  readonly removed: AbortSignal;
}

/** The workspace of a run, whose files are there already. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { git, copy, sandbox, network, now, closed, runId, folder, serial, removed } = options;
  const { commit: base, tree = base } = options.base;
  const own = createWorkspaceGit(git, folder, copy.objects);
  const files = createFiles(folder.tree, folder.temporary);
  const ref = createRunRef(git, copy.gitDir, runId);
  const history = createHistory({ git: own, folder, base, tree, ref, now });

  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    serial(async () => {
      if (closed.aborted) throw new CairnError("UNAVAILABLE", "The service is closing its workspaces.");
      if (removed.aborted) throw new CairnError("NOT_FOUND", `The workspace of the run \`${runId}\` is gone.`);
      await finishPending(folder);
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
      applyPatch: (text: string) => inTurn(() => applyPatch({ folder, git: own, text })),
    }),
    exec: Object.freeze({
      run: (request: CommandRequest, policy: CommandPolicy, signal?: AbortSignal) => {
        const ends = AbortSignal.any([removed, closed, ...(signal === undefined ? [] : [signal])]);
        const { objectFormat } = copy;
        // One with some of the files alone commits nothing, and compares with nothing.
        const lend = tree === base ? () => lendRepository({ git: own, folder, commit: base, objectFormat }) : undefined;
        return inTurn(() => runCommand({ sandbox, tree: folder.tree, request, policy, network, lend, signal: ends }));
      },
    }),
    git: Object.freeze({
      status: () => inTurn(history.status),
      diff: (only?: readonly string[]) => inTurn(() => history.diff(only)),
      commit: (request: Parameters<History["commit"]>[0]) => inTurn(() => history.commit(request)),
    }),
    reset: () =>
      inTurn(async () => {
        await removeTree(folder.tree);
        await mkdir(folder.tree);
        await writeTree(own, folder, tree);
      }),
    inspect: <T>(read: (tree: string) => Promise<T>) => inTurn(() => read(folder.tree)),
  });
}

/** Removes a folder that commands may have written, if it is there. */
export async function removeTree(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined)) === undefined) return;
  // Folders that a command took the rights from could not be emptied.
  if (process.getuid?.() !== 0) await runSystemProgram("chmod", ["-R", "u+rwX", "--", path]).catch(() => undefined);
  await runSystemProgram("rm", ["-rf", "--one-file-system", "--", path]);
}
