import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../json/types.ts";
import { workspaceKey } from "../../../store/keys.ts";
import type { Store } from "../../../store/store.ts";
import type { Owned, WorkDesk } from "../../work/desk.ts";
import { isOpen, type Run } from "../../work/run.ts";
import type { Workspaces } from "../open-workspaces.ts";
import { createRunWorkspace, type RunWorkspace, type WorkspaceTools } from "./run-workspace.ts";
import { createRemoteWorkspace } from "./workspace-operations.ts";

/** Nodes between which workspaces are shared: each is on one of them, and reached through any. */
export interface WorkspaceNodes {
  /** Identifier of this node. */
  readonly self: string;
  /** Identifier of the node that has all workspaces; absent: each has those that it was asked for first. */
  readonly home?: string;
  isAlive(node: string): Promise<boolean>;
  /** Asks a node about a workspace that it has. @throws UNAVAILABLE */
  ask(node: string, request: Json, signal?: AbortSignal): Promise<Json>;
}

export interface RunWorkspaceOptions extends WorkspaceTools {
  readonly store: Store;
  /** Absent where there is no repository to make them from. */
  readonly workspaces?: Workspaces;
  /** Absent where all workspaces are on this machine. */
  readonly workspaceNodes?: WorkspaceNodes;
}

/**
 * Opens the workspace of a run, made unless it is there. It is on the node that was first asked for it. @throws NOT_FOUND for one of
 * a run that has ended; CONFLICT with details `lost` for one whose node has ended; UNAVAILABLE
 */
export async function openRunWorkspace(
  desk: WorkDesk,
  owned: Owned<Run>,
  options: RunWorkspaceOptions,
): Promise<RunWorkspace> {
  const { workspaces, workspaceNodes: nodes, store } = options;
  const { run_id: runId, commit } = owned.record;
  if (workspaces === undefined) throw new CairnError("UNAVAILABLE", "There are no workspaces here.");
  const node = nodes === undefined ? undefined : await findNode(desk.scope, owned, nodes.home ?? nodes.self, store);
  if (nodes !== undefined && node !== undefined && node !== nodes.self) {
    if (!(await nodes.isAlive(node))) throw createLost(owned);
    assertOpen(owned);
    return createRemoteWorkspace(runId, commit, (request, signal) => nodes.ask(node, request, signal));
  }
  const found = await workspaces.find(runId);
  if (found !== undefined) return createRunWorkspace(found, options);
  assertOpen(owned);
  if (nodes === undefined) desk.set(workspaceKey(runId), { tenant: owned.tenant, scope: desk.scope });
  return createRunWorkspace(await workspaces.create(runId, commit), options);
}

/** Finds the node that has a workspace; from now on it is `own`, where there is none. */
async function findNode(scope: string, owned: Owned<Run>, own: string, store: Store): Promise<string> {
  const key = workspaceKey(owned.record.run_id);
  for (;;) {
    const entry = await store.get(key);
    const kept = entry !== undefined && isObject(entry.value) ? entry.value["node"] : undefined;
    if (typeof kept === "string") return kept;
    assertOpen(owned);
    const check = [{ key, rev: entry?.rev ?? 0 }];
    const value = { tenant: owned.tenant, scope, node: own };
    const { ok } = await store.commit({ check, set: [{ key, value }] });
    if (ok) return own;
  }
}

function assertOpen({ record: run }: Owned<Run>): void {
  if (isOpen(run)) return;
  throw new CairnError("NOT_FOUND", `The workspace of run \`${run.run_id}\` is gone: it is ${run.status}.`);
}

/** Says whether the workspace of a run is gone for good while its run goes on. */
export function isLost(error: unknown): boolean {
  return error instanceof CairnError && isObject(error.details) && error.details["lost"] === true;
}

function createLost({ record: { run_id: runId } }: Owned<Run>): CairnError {
  const message = `The workspace of run \`${runId}\` is lost with the node that had it; claim the task again.`;
  return new CairnError("CONFLICT", message, { details: { lost: true } });
}
