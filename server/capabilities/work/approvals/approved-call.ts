import { CairnError, toErrorBody } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Result } from "../../../kernel/call.ts";
import { WAITING_CALLS, waitingCallKey } from "../../../store/waiting-keys.ts";
import type { Json, Key } from "../../../store/store.ts";
import { toTime } from "../../../text/to-time.ts";
import { findRun, findTask, note, type RecordDesk, saveRun, saveTask } from "../desk.ts";
import { putArtifact, readArtifact } from "../evidence.ts";
import { changeRun, type Run, type RunStatus } from "../run.ts";
import { changeTask, type TaskStatus, WORK_SCHEMA_VERSION } from "../task.ts";
import { workOnRecords, type WorkDeskOptions } from "../work-desk.ts";
import {
  CALL,
  type CallOutcome,
  findWaiting,
  forgetWaiting,
  OUTCOME,
  readShownCall,
  readWaitingCall,
  saveWaiting,
  showApprovers,
  type WaitingCall,
} from "./waiting-call.ts";

type Options = Pick<WorkDeskOptions, "store" | "storeTime">;

/** The place of an approved call in its queue, as this process has claimed it. */
export interface Fenced {
  readonly key: Key;
  readonly fence: number;
  /** Whose it is. */
  readonly of: Json;
}

export interface Begun {
  readonly call: WaitingCall;
  readonly input: Json;
  /** True where an earlier process began to run it and did not say what came of it. */
  readonly isAgain: boolean;
}

/** Begins an approved call, or ends it where its time is over; undefined where there is nothing to run. */
export async function beginCall(options: Options, fenced: Fenced): Promise<Begun | undefined> {
  const { key, fence, of } = fenced;
  const { tenant = "", actor = "" } = isObject(of) ? (of as { tenant?: string; actor?: string }) : {};
  const stored = await options.store.get(waitingCallKey(tenant, actor, String(key.at(-1))));
  const call = stored && readWaitingCall(stored.value);
  return workOnRecords({ tenant, scope: call?.scope ?? "" }, options, async (desk) => {
    desk.expect(key, fence);
    if (call === undefined || call.isEnded === true) {
      desk.delete(key);
      return undefined;
    }
    const { record: run } = await findRun(desk, call.runId);
    const isAgain = run.status === "running";
    if (!isAgain && desk.now >= call.expiresAt) {
      await end(desk, call, { run: "cancelled", task: "cancelled", why: toLate(call) });
      desk.delete(key);
      return undefined;
    }
    const shown = readShownCall(JSON.parse((await readArtifact(desk, tenant, run, CALL)) ?? "null"));
    if (run.artifacts[CALL]?.digest !== call.digest) {
      throw new CairnError("INTERNAL_ERROR", `The call of task \`${call.taskId}\` is not the one that was shown.`);
    }
    const { record: task } = await findTask(desk, call.taskId);
    saveRun(desk, tenant, changeRun(run, desk.now, { status: "running" }));
    saveTask(desk, tenant, changeTask(task, desk.now, { status: "running" }));
    note(desk, tenant, run, "call.began", { approved_by: showApprovers(call), again: isAgain });
    return { call, input: shown.input, isAgain };
  });
}

/** Keeps what came of a call, for its caller to read. */
export async function endCall(
  options: Options,
  { key }: Fenced,
  { call }: Begun,
  done: Result | CairnError,
): Promise<void> {
  const outcome = toOutcome(call, done);
  await workOnRecords(call, options, async (desk) => {
    const isDone = outcome.status === "completed";
    const why = isDone ? `Approved by ${outcome.approved_by}, and done.` : (outcome.error?.message ?? "It failed.");
    await end(desk, call, { run: outcome.status, task: isDone ? "completed" : "dead", why }, outcome);
    desk.delete(key);
  });
}

/** Gives a call back that could not run just now: it is claimed again when its lease runs out, and its time runs on. */
export async function postponeCall(options: Options, { key, fence }: Fenced, { call }: Begun): Promise<void> {
  await workOnRecords(call, options, async (desk) => {
    desk.expect(key, fence);
    const { record: run } = await findRun(desk, call.runId);
    const { record: task } = await findTask(desk, call.taskId);
    saveRun(desk, call.tenant, changeRun(run, desk.now, { status: "approved" }));
    saveTask(desk, call.tenant, changeTask(task, desk.now, { status: "pending" }));
    note(desk, call.tenant, run, "call.postponed");
  });
}

/** Ends calls that nobody decided in time, and forgets those that ended and whose time is over as well. */
export async function expireCalls(options: Options): Promise<void> {
  const due: WaitingCall[] = [];
  for await (const { value } of options.store.scan({ prefix: WAITING_CALLS })) {
    const call = readWaitingCall(value);
    if (options.storeTime() >= call.expiresAt) due.push(call);
  }
  for (const { tenant, actor, scope, taskId } of due) {
    await workOnRecords({ tenant, scope }, options, async (desk) => {
      const call = await findWaiting(desk, tenant, actor, taskId);
      if (call === undefined) return;
      const { record: run } = await findRun(desk, call.runId);
      if (run.status === "blocked") {
        await end(desk, call, { run: "cancelled", task: "cancelled", why: toLate(call) });
      }
      if (run.status !== "approved" && run.status !== "running") forgetWaiting(desk, call);
    });
  }
}

async function end(
  desk: RecordDesk,
  call: WaitingCall,
  { run: status, task: taskStatus, why }: { readonly run: RunStatus; readonly task: TaskStatus; readonly why: string },
  outcome?: CallOutcome,
): Promise<void> {
  const { tenant } = call;
  const { record: run } = await findRun(desk, call.runId);
  const { record: task } = await findTask(desk, call.taskId);
  const summary = why.slice(0, SUMMARY_LIMIT);
  const kept: Run = outcome === undefined ? run : putArtifact(desk, tenant, run, OUTCOME, JSON.stringify(outcome));
  saveRun(desk, tenant, changeRun(kept, desk.now, { status, result_summary: summary }));
  saveTask(desk, tenant, changeTask(task, desk.now, { status: taskStatus, result_summary: summary }));
  note(desk, tenant, run, `run.${status}`, { reason: summary });
  saveWaiting(desk, { ...call, isEnded: true });
}

/** Characters of a summary that records keep. */
const SUMMARY_LIMIT = 1000;

function toLate({ expiresAt }: WaitingCall): string {
  return `It was not approved and begun until ${toTime(expiresAt)}.`;
}

function toOutcome(call: WaitingCall, done: Result | CairnError): CallOutcome {
  const { taskId, runId } = call;
  const names = { schema_version: WORK_SCHEMA_VERSION, task_id: taskId, run_id: runId } as const;
  const approved_by = showApprovers(call);
  if (done instanceof CairnError) {
    const { code, name, message } = toErrorBody(done, taskId);
    return { ...names, status: "failed", approved_by, conversation_id: taskId, error: { code, name, message } };
  }
  const conversation_id = done.conversationId;
  if (done.ok) return { ...names, status: "completed", approved_by, conversation_id, output: done.output };
  const { details, ...error } = done.error;
  const more = details === undefined ? {} : { details: details as Json };
  return { ...names, status: "failed", approved_by, conversation_id, error: { ...error, ...more } };
}
