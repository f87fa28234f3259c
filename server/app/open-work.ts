import { createPlanObjective } from "../architect/objectives/create-plan-objective.ts";
import type { Planner } from "../architect/planners/planner.ts";
import type { ToPrincipal } from "../auth/to-principal.ts";
import { createFindApprovalGap } from "../capabilities/work/approvals/find-approval-gap.ts";
import { createHandOver } from "../architect/runs/create-hand-over.ts";
import type { Config } from "../config/config.ts";
import { defined } from "../json/defined.ts";
import { toDataPaths } from "../config/data-folder.ts";
import { openEmbedder } from "../capabilities/knowledge/meaning/open-embedder.ts";
import { openKnowledge } from "../capabilities/knowledge/open-knowledge.ts";
import type { Redactor } from "../log/redact.ts";
import { createPlanners } from "./create-planners.ts";
import { findUsableForge, type OpenedForge } from "./open-forge.ts";
import { openVerify, type Verification } from "./open-verify.ts";
import { runKey, workspaceKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { RepositorySyscallOptions } from "../capabilities/knowledge/syscalls.ts";
import type { WorkSyscallOptions } from "../capabilities/work/syscalls.ts";
import type { WorkspaceSyscallOptions } from "../capabilities/workspace/prepare.ts";
import type { Git } from "../versions/git/git.ts";
import { openObjectReader } from "../versions/git/object-reader.ts";
import type { Loader } from "../versions/load-version.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import { isOpen, readRun } from "../capabilities/work/run.ts";
import type { WorkspaceNodes } from "../capabilities/workspace/nodes/open-run-workspace.ts";
import { createWorkspaceAnswers } from "../capabilities/workspace/nodes/workspace-operations.ts";
import { openWorkspaces, type Workspaces } from "../capabilities/workspace/open-workspaces.ts";
import { CairnError } from "../errors.ts";
import type { NodeOperation } from "../http/nodes.ts";
import type { Nodes } from "../instance/nodes.ts";
import type { Json } from "../json/types.ts";
import type { Sandbox } from "../capabilities/workspace/sandbox/probe-sandbox.ts";

/** The parts of the machine that runs need: workspaces, a sandbox for their commands, and what is known of the repository. */
export interface Work {
  readonly capabilities: Pick<WorkSyscallOptions, "landing" | "onRunEnded" | "findApprovalGap"> &
    Pick<WorkspaceSyscallOptions, "workspaces" | "workspaceNodes" | "load" | "plan" | "verify"> &
    Pick<RepositorySyscallOptions, "knowledge">;
  readonly workspaces: Workspaces;
  readonly verification: Verification;
  readonly planners: readonly Planner[];
  /** Answers other nodes about workspaces of this one. */
  readonly answerNodes: NodeOperation;
  close(): Promise<void>;
}

export async function openWork(options: {
  readonly config: Config;
  readonly git: Git;
  readonly registry: Registry;
  readonly forge: OpenedForge;
  readonly store: Store;
  readonly loader: Loader;
  readonly commands: Sandbox;
  readonly redactor: Redactor;
  readonly now: () => number;
  /** Nodes that share the store; absent where it is this service's alone. */
  readonly nodes?: Nodes;
  readonly onError: (error: unknown) => void;
  /** Absent where callers are others than those of the configuration. */
  readonly toPrincipal?: ToPrincipal;
}): Promise<Work> {
  const { config, git, registry, forge, store, loader, commands, redactor, now, nodes, onError, toPrincipal } = options;
  const folder = toDataPaths(config.data).workspaces;
  const workspaces = await openWorkspaces({ git, repository: registry.mirror, folder, sandbox: commands, now });
  await sweep(workspaces, store);
  // A run may end on another node than that of its workspace.
  const sweeps = nodes && setInterval(() => void sweepEnded(workspaces, store).catch(onError), SWEEP_MS).unref();
  const reader = openObjectReader(git, registry.mirror);
  const verification = openVerify({ ...options, reader });
  const { verify, filesOf } = verification;
  const planners = createPlanners(options);
  const answer = createWorkspaceAnswers({
    workspaces,
    load: loader.load,
    verify: verification.verifyWorkspace,
    revoked: registry.revoked,
  });
  const embedder = openEmbedder(config.model, fetch);
  const meaning = embedder === undefined ? undefined : { embedder, store, redactor, onError };
  return {
    workspaces,
    verification,
    planners,
    answerNodes: (body, _from, signal) => answer(body, signal),
    capabilities: {
      workspaces,
      ...(nodes && { workspaceNodes: toWorkspaceNodes(nodes) }),
      load: loader.load,
      verify: verification.verifyWorkspace,
      plan: createPlanObjective({ planners, read: registry.read, filesOf, workspaces, verify, redactor, now }),
      knowledge: openKnowledge({ git, gitDir: registry.mirror, reader, meaning }),
      ...(toPrincipal && { findApprovalGap: createFindApprovalGap({ config: config.auth, store, toPrincipal, now }) }),
      landing: { handOver: createHandOver(now), ...defined({ whyNot: findUsableForge(config, forge).why }) },
      onRunEnded: (runId) => void workspaces.remove(runId).catch(onError),
    },
    async close() {
      clearInterval(sweeps);
      await verification.trial.close();
      reader.close();
      await workspaces.close();
    },
  };
}

/** Milliseconds between looks for workspaces of runs that ended on other nodes. */
const SWEEP_MS = 60_000;

/** Takes away what is left of runs that ended while nobody was there to tidy up. */
async function sweep(workspaces: Workspaces, store: Store): Promise<void> {
  for (const runId of await workspaces.list())
    if ((await isRunOpen(store, runId)) !== true) await workspaces.remove(runId);
}

/** Takes away the workspaces of runs that have ended; those that are of no run are the Architect's, who is at work. */
async function sweepEnded(workspaces: Workspaces, store: Store): Promise<void> {
  for (const runId of await workspaces.list()) {
    if ((await isRunOpen(store, runId)) === false) await workspaces.remove(runId);
  }
}

/** Looks whether a run that has a workspace is open; `undefined` where there is no such run. */
async function isRunOpen(store: Store, runId: string): Promise<boolean | undefined> {
  const owner = (await store.get(workspaceKey(runId)))?.value as { tenant: string; scope: string } | undefined;
  const run = owner && (await store.get(runKey(owner.tenant, owner.scope, runId)))?.value;
  return run === undefined ? undefined : isOpen(readRun(run));
}

/** Asks nodes about workspaces. */
function toWorkspaceNodes({ self, home, isAlive, request }: Nodes): WorkspaceNodes {
  return {
    self: self.id,
    ...defined({ home }),
    isAlive,
    async ask(node, asked, signal) {
      const body = JSON.stringify(asked);
      const response = await request(node, { method: "POST", path: "/nodes/workspaces", body, ...defined({ signal }) });
      if (response.ok) return (await response.json()) as Json;
      throw new CairnError("UNAVAILABLE", `The node that has this workspace answers with ${response.status}.`);
    },
  };
}
