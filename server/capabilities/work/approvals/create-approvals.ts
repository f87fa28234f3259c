import { hash } from "node:crypto";
import { CairnError, ERRORS, isErrorName } from "../../../errors.ts";
import { canonicalJson } from "../../../json/canonical-json.ts";
import type { Approvals, AskedCall } from "../../../kernel/approvals.ts";
import type { Answered } from "../../../kernel/stages/answers.ts";
import { workOwnerKey } from "../../../store/keys.ts";
import { askedCallKey, waitingCallsOf } from "../../../store/waiting-keys.ts";
import { toTime } from "../../../text/to-time.ts";
import type { Tool, Version } from "../../../versions/version.ts";
import { toScope } from "../../state/state.ts";
import { findRun, findTask, note, saveRun, saveTask, type WorkDesk } from "../desk.ts";
import { ARTIFACT_BYTES, putArtifact, readArtifact } from "../evidence.ts";
import type { Run } from "../run.ts";
import { type Task, toTimestamps, WORK_SCHEMA_VERSION } from "../task.ts";
import { workAt, type WorkDeskOptions } from "../work-desk.ts";
import { APPROVAL } from "../workflows.ts";
import {
  CALL,
  findWaiting,
  forgetWaiting,
  OUTCOME,
  readCallOutcome,
  readWaitingCall,
  rolesOf,
  saveWaiting,
  type ShownCall,
  showRoles,
  type WaitingCall,
} from "./waiting-call.ts";

/** Calls of one actor that wait at once: a caller in a loop must not bury the people who decide. */
const WAITING_LIMIT = 100;

/** Call that waits, and what was known against its approval when it began. */
interface Waits {
  readonly waits: WaitingCall;
  readonly warnings: readonly string[];
}

/** End or handle of a call that asks. */
type Asked = Waits | { readonly ended: Answered };

/** Keeps calls as tasks of `work`, which wait for somebody's decision. */
export function createApprovals(options: WorkDeskOptions): Approvals {
  return Object.freeze<Approvals>({
    async ask(asked) {
      const { version, tool, principal } = asked;
      const decider = findDecider(version);
      if (decider === undefined) {
        throw new CairnError(
          "FORBIDDEN",
          `Version ${version.semver} has no tool to approve calls of \`${tool.name}\`.`,
        );
      }
      const scope = toScope(version, decider);
      const place = { version, principal, scope, isArchitect: false };
      const done = await workAt(place, options, (desk) => ask(desk, asked));
      if ("ended" in done) return done.ended;
      throw toRefusal(asked, done, decider);
    },
  });
}

/** The tool that decides about calls of a version; undefined where it has none. */
export function findDecider({ tools }: Version): Tool | undefined {
  return [...tools.values()].find(({ uses }) => uses.has("work.approve"));
}

async function ask(desk: WorkDesk, asked: AskedCall): Promise<Asked> {
  const { tenant, actor } = desk;
  const digest = toAskedDigest(asked);
  const known = await desk.get(askedCallKey(tenant, digest));
  const call = typeof known === "string" ? await findWaiting(desk, tenant, actor, known) : undefined;
  if (call === undefined) return begin(desk, asked, digest);
  const ended = await findEnd(desk, call);
  if (ended === undefined) {
    const { record: run } = await findRun(desk, call.runId);
    return { waits: call, warnings: run.warnings ?? [] };
  }
  forgetWaiting(desk, call);
  return { ended };
}

/** Makes the task, whose run waits for a decision from its beginning. */
async function begin(desk: WorkDesk, asked: AskedCall, digest: string): Promise<Waits> {
  const { tenant, actor, scope, now } = desk;
  const { version, tool, by, also, expiresSeconds, input, principal, idempotencyKey } = asked;
  const roles = also.length === 0 ? { by } : { by, also };
  const others = (await desk.glance(waitingCallsOf(tenant, actor), WAITING_LIMIT * 2)).map(({ value }) =>
    readWaitingCall(value),
  );
  const isKeyed = (call: WaitingCall) =>
    call.tool === tool.name && call.commit === version.commit && call.idempotencyKey === idempotencyKey;
  if (idempotencyKey !== undefined && others.some(isKeyed)) {
    throw new CairnError(
      "UNPROCESSABLE",
      `This idempotency key was used for a call of \`${tool.name}\` with another input, which waits for approval; a new call needs a new key.`,
    );
  }
  if (others.filter(({ isEnded }) => isEnded !== true).length >= WAITING_LIMIT) {
    throw new CairnError("CONFLICT", `${WAITING_LIMIT} calls of \`${actor}\` wait for approval; no more can.`);
  }
  const [taskId, runId] = [desk.createId(), desk.createId()];
  const expiresAt = now + expiresSeconds * 1000;
  const shown: ShownCall = {
    schema_version: WORK_SCHEMA_VERSION,
    task_id: taskId,
    run_id: runId,
    caller: actor,
    version: version.semver,
    commit: version.commit,
    server: tool.server,
    tool: tool.name,
    tool_version: tool.version,
    input,
    approval: { ...roles, expires_at: toTime(expiresAt) },
  };
  const content = JSON.stringify(shown, undefined, 2);
  if (Buffer.byteLength(content) > ARTIFACT_BYTES) {
    throw new CairnError("PAYLOAD_TOO_LARGE", `A call that waits for approval may have ${ARTIFACT_BYTES} bytes.`);
  }
  const gap = await desk.findApprovalGap({ tenant, taskId, others: [actor], role: by, also });
  const warnings = gap === undefined ? [] : [gap];
  const begun = { ...toRun(desk, shown, expiresSeconds), ...(gap === undefined ? {} : { warnings }) };
  const run = putArtifact(desk, tenant, begun, CALL, content);
  saveRun(desk, tenant, run);
  saveTask(desk, tenant, toTask(desk, shown));
  desk.set(workOwnerKey(scope, taskId), tenant);
  desk.set(workOwnerKey(scope, runId), tenant);
  const call: WaitingCall = {
    schemaVersion: 1,
    tenant,
    actor,
    scope,
    taskId,
    runId,
    commit: version.commit,
    tool: tool.name,
    ...roles,
    asked: digest,
    digest: run.artifacts[CALL]?.digest ?? "",
    expiresAt,
    roles: principal.roles ?? [],
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  saveWaiting(desk, call);
  desk.set(askedCallKey(tenant, digest), taskId);
  note(desk, tenant, run, "call.asked", { tool: tool.name, by: rolesOf(call).join(", "), digest: call.digest });
  return { waits: call, warnings };
}

function toTask({ now }: WorkDesk, shown: ShownCall): Task {
  const { task_id, run_id, tool, caller, version, commit, approval } = shown;
  return {
    schema_version: WORK_SCHEMA_VERSION,
    task_id,
    title: `Call of ${tool} by ${caller}`.slice(0, 200),
    objective: `Approve or reject this call: \`${CALL}\` of run ${run_id} has its input. It waits for ${showRoles(rolesOf(approval))} until ${approval.expires_at}.`,
    status: "blocked",
    priority: "high",
    timestamps: toTimestamps({ created_at: toTime(now) }, now, false),
    workspace_path: null,
    workflow: APPROVAL,
    version,
    commit,
    created_by: caller,
    requires: [],
    attempts: 1,
    max_attempts: 1,
    run_id,
    result_summary: null,
  };
}

function toRun({ now, tenant }: WorkDesk, shown: ShownCall, seconds: number): Run {
  const { task_id, run_id, version, commit, caller, approval } = shown;
  return {
    schema_version: WORK_SCHEMA_VERSION,
    run_id,
    task_id,
    workflow: APPROVAL,
    status: "blocked",
    risk_level: "high",
    run_path: `runs/${run_id}`,
    timestamps: toTimestamps({ created_at: toTime(now) }, now, false),
    version,
    commit,
    worker_id: "cairn",
    actor: { tenant, name: caller },
    fence: 0,
    attempt: 1,
    lease: { seconds, expires_at: approval.expires_at },
    steps: [],
    artifacts: {},
    result_summary: null,
  };
}

/** The answer to a call that has ended; undefined while it waits or runs. */
async function findEnd(desk: WorkDesk, call: WaitingCall): Promise<Answered | undefined> {
  const { record: run } = await findRun(desk, call.runId);
  const { record: task } = await findTask(desk, call.taskId);
  const fail = (name: "FORBIDDEN" | "CONFLICT", message: string): Answered => ({
    ok: false,
    error: { code: ERRORS[name].number, name, message },
    row: ERRORS[name],
    conversationId: call.taskId,
  });
  const why = task.result_summary ?? "no reason";
  if (run.status === "rejected") return fail("FORBIDDEN", `This call of \`${call.tool}\` was rejected: ${why}`);
  if (run.status === "cancelled") return fail("CONFLICT", `This call of \`${call.tool}\` was cancelled: ${why}`);
  if (run.status === "blocked" && desk.now >= call.expiresAt) {
    return fail("CONFLICT", `Nobody approved this call of \`${call.tool}\` until ${toTime(call.expiresAt)}.`);
  }
  if (run.status !== "completed" && run.status !== "failed") return undefined;
  const outcome = readCallOutcome(JSON.parse((await readArtifact(desk, desk.tenant, run, OUTCOME)) ?? "null"));
  const { output = null, error, conversation_id: conversationId } = outcome;
  if (error === undefined) return { ok: true, output, outputText: JSON.stringify(output), conversationId };
  const name = isErrorName(error.name) ? error.name : "INTERNAL_ERROR";
  return { ok: false, error: { ...error, name }, row: ERRORS[name], conversationId };
}

/** Calls that are equal in this wait once: a caller that repeats its call asks for its outcome. */
function toAskedDigest({ version, tool, input, principal, idempotencyKey = "" }: AskedCall): string {
  return hash("sha256", canonicalJson([version.commit, tool.name, principal.actor, input, idempotencyKey]));
}

function toRefusal({ version, tool, principal }: AskedCall, { waits, warnings }: Waits, decider: Tool): CairnError {
  const { taskId: task_id, runId: run_id, by, also, digest } = waits;
  const roles = also === undefined ? { by } : { by, also: [...also] };
  const expires_at = toTime(waits.expiresAt);
  const outcome = `/agent/${version.commit}/api/approvals/${task_id}`;
  return new CairnError(
    "APPROVAL_REQUIRED",
    `This call of \`${tool.name}\` waits for the approval of ${showRoles(rolesOf(waits))} other than \`${principal.actor}\`, until ${expires_at}. ` +
      ["The same call again, or a GET of `details.outcome`, says what came of it.", ...warnings].join(" "),
    { details: { task_id, run_id, ...roles, expires_at, digest, outcome, decided_with: decider.name, warnings } },
  );
}
