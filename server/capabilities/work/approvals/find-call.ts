import { CairnError } from "../../../errors.ts";
import { isUuid } from "../../../identifiers.ts";
import { readJson } from "../../../json/read-json.ts";
import type { Principal } from "../../../principal.ts";
import type { Version } from "../../../versions/version.ts";
import { toScope } from "../../state/state.ts";
import { findRun, findTask, type RecordDesk } from "../desk.ts";
import { readArtifact } from "../evidence.ts";
import type { Run } from "../run.ts";
import { workOnRecords, type WorkDeskOptions } from "../work-desk.ts";
import { APPROVAL } from "../workflows.ts";
import { findDecider } from "./create-approvals.ts";
import {
  CALL,
  type CallOutcome,
  findMissing,
  findWaiting,
  OUTCOME,
  readCallOutcome,
  readShownCall,
  rolesOf,
  type ShownCall,
} from "./waiting-call.ts";

/** A call that waited or waits for approval, as its caller and those who decide see it. */
export interface ApprovalView {
  readonly task_id: string;
  readonly run_id: string;
  readonly status: "waiting" | "approved" | "running" | "completed" | "failed" | "rejected" | "cancelled" | "expired";
  readonly tool: string;
  readonly by: string;
  /** Further roles that must approve it, each of them; absent: none. */
  readonly also?: readonly string[];
  /** Of a call that several roles approve: those that have not yet. */
  readonly waits_for?: readonly string[];
  readonly expires_at: string;
  /** SHA-256 of the call as it was shown, in hexadecimal. */
  readonly digest: string;
  readonly reason?: string;
  /** For the caller alone. */
  readonly outcome?: Pick<CallOutcome, "output" | "error" | "conversation_id">;
}

export type FindCall = (version: Version, principal: Principal, taskId: string) => Promise<FoundCall>;

export interface FoundCall {
  readonly view: ApprovalView;
  readonly server: string;
}

/** Creates what finds calls for who made them, and for who has the role to decide. It rejects with NOT_FOUND for others. */
export function createFindCall(options: Pick<WorkDeskOptions, "store" | "storeTime">): FindCall {
  return async (version, principal, taskId) => {
    const none = new CairnError("NOT_FOUND", `There is no call that waits as \`${taskId.slice(0, 64)}\` here.`);
    const decider = findDecider(version);
    if (decider === undefined || !isUuid(taskId)) throw none;
    const scope = toScope(version, decider);
    return workOnRecords({ tenant: principal.tenant, scope }, options, async (desk) => {
      const { record: task } = await findTask(desk, taskId).catch(() => Promise.reject(none));
      if (task.workflow !== APPROVAL || task.run_id === null) throw none;
      const { record: run } = await findRun(desk, task.run_id);
      const shown = readShownCall(readJson((await readArtifact(desk, principal.tenant, run, CALL)) ?? "null"));
      const isCaller = run.actor.name === principal.actor;
      if (!isCaller && !rolesOf(shown.approval).some((role) => principal.roles?.includes(role))) throw none;
      const outcome = isCaller ? await findOutcome(desk, principal.tenant, run) : undefined;
      const call = await findWaiting(desk, principal.tenant, run.actor.name, taskId);
      const missing = call?.also === undefined || run.status !== "blocked" ? [] : findMissing(call);
      return { view: toView(desk, run, shown, missing, outcome), server: shown.server };
    });
  };
}

async function findOutcome(desk: RecordDesk, tenant: string, run: Run): Promise<CallOutcome | undefined> {
  const content = await readArtifact(desk, tenant, run, OUTCOME);
  return content === undefined ? undefined : readCallOutcome(readJson(content));
}

function toView(
  { now }: RecordDesk,
  run: Run,
  shown: ShownCall,
  missing: readonly string[],
  outcome: CallOutcome | undefined,
): ApprovalView {
  const { by, also, expires_at } = shown.approval;
  return {
    task_id: run.task_id,
    run_id: run.run_id,
    status: toStatus(run, now >= Date.parse(expires_at)),
    tool: shown.tool,
    by,
    ...(also && { also }),
    ...(missing.length === 0 ? {} : { waits_for: missing }),
    expires_at,
    digest: run.artifacts[CALL]?.digest ?? "",
    ...(run.result_summary === null ? {} : { reason: run.result_summary }),
    ...(outcome && { outcome: toOutcome(outcome) }),
  };
}

function toOutcome({ output, error, conversation_id }: CallOutcome): NonNullable<ApprovalView["outcome"]> {
  return { conversation_id, ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) };
}

function toStatus({ status }: Run, isOver: boolean): ApprovalView["status"] {
  if (status === "blocked") return isOver ? "expired" : "waiting";
  if (status === "released" || status === "lost") return "failed";
  return status;
}
