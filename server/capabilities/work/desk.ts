import { toTime } from "../../text/to-time.ts";
import { CairnError } from "../../errors.ts";
import { runKey, runLeaseKey, runLog, taskKey, workOwnerKey, workQueue } from "../../store/keys.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import type { Json, Key, Store } from "../../store/store.ts";
import type { Version } from "../../versions/version.ts";
import type { ApprovalNeed } from "./approvals/find-approval-gap.ts";
import type { JournalEvent } from "./journal.ts";
import { isOpen, readRun, type Run } from "./run.ts";
import { APPROVAL, ARCHITECT } from "./workflows.ts";
import { PRIORITIES, readTask, type Task, toRecord } from "./task.ts";

/** A transaction of tasks and runs: who works in it, and where. */
export interface RecordDesk extends Transaction {
  readonly tenant: string;
  readonly actor: string;
  /** True when the caller's workers serve all tenants. */
  readonly servesAll: boolean;
  /** The name under which versions share their tasks, or the commit. */
  readonly scope: string;
  /** Milliseconds since 1970, by the store's clock. */
  readonly now: number;
  /** Reads that clock again. */
  readonly time: () => number;
}

/** A transaction of a version's tasks and runs, and what happens at once instead of at its commit. */
export interface WorkDesk extends RecordDesk {
  readonly version: Version;
  /** Roles of the caller that are not revoked. */
  readonly roles: readonly string[];
  /** True for the service itself, which alone does runs of the Architect, and no others. */
  readonly isArchitect: boolean;
  /** True when the one whose worker did a run may approve it. */
  readonly allowsSelfApproval: boolean;
  createId(): string;
  /** Says why nobody who is known could approve; undefined where somebody could. */
  findApprovalGap(need: Omit<ApprovalNeed, "version">): Promise<string | undefined>;
  /** Leases at once, whatever becomes of the transaction: a lease that nobody learns of runs out. */
  claim: Store["claim"];
  /** Writes to a log at once. */
  appendNow(log: string, entry: Json): Promise<void>;
}

/** A task or a run, and its tenant. */
export interface Owned<Record> {
  readonly tenant: string;
  readonly record: Record;
}

/** @throws NOT_FOUND, also for what is another tenant's. */
export async function findTask(desk: RecordDesk, taskId: string): Promise<Owned<Task>> {
  const tenant = await ownerOf(desk, taskId);
  const value = await desk.get(taskKey(tenant, desk.scope, taskId));
  if (value === undefined) throw new CairnError("NOT_FOUND", `There is no task \`${taskId.slice(0, 64)}\` here.`);
  return { tenant, record: readTask(value) };
}

/** @throws NOT_FOUND, also for what is another tenant's. */
export async function findRun(desk: RecordDesk, runId: string): Promise<Owned<Run>> {
  const tenant = await ownerOf(desk, runId);
  const value = await desk.get(runKey(tenant, desk.scope, runId));
  if (value === undefined) throw new CairnError("NOT_FOUND", `There is no run \`${runId.slice(0, 64)}\` here.`);
  return { tenant, record: readRun(value) };
}

async function ownerOf(desk: RecordDesk, id: string): Promise<string> {
  const owner = desk.servesAll ? await desk.get(workOwnerKey(desk.scope, id)) : undefined;
  return typeof owner === "string" ? owner : desk.tenant;
}

/** @throws CONFLICT when the run is not of the task. */
export function assertOf(run: Run, taskId: string): void {
  if (run.task_id !== taskId) {
    throw new CairnError("CONFLICT", `Run \`${run.run_id}\` is of task \`${run.task_id}\`, not of \`${taskId}\`.`);
  }
}

/**
 * The run, if it is under way and its lease is still the caller's; from here on the call is written only while that holds.
 *
 * @throws NOT_FOUND; FORBIDDEN for a run that others' credentials claimed; CONFLICT when it has ended, its lease has run out,
 * or it was taken over.
 */
export async function findHeldRun(desk: WorkDesk, runId: string, workerId?: string): Promise<Owned<Run>> {
  const { tenant, record: run } = await findRun(desk, runId);
  if (run.actor.tenant !== desk.tenant || run.actor.name !== desk.actor) {
    throw new CairnError("FORBIDDEN", `Run \`${runId}\` was claimed with other credentials than these.`);
  }
  // Whoever asked for a change could otherwise write the evidence for it.
  if (run.workflow === APPROVAL || (run.workflow === ARCHITECT.name) !== desk.isArchitect) {
    throw new CairnError("FORBIDDEN", `Run \`${runId}\` is done by the service itself.`);
  }
  if (workerId !== undefined && workerId !== run.worker_id) {
    throw new CairnError("CONFLICT", `Run \`${runId}\` is not the worker \`${workerId}\`'s.`);
  }
  if (run.status !== "running") {
    const state = isOpen(run) ? `is ${run.status}` : `has ended: it is ${run.status}`;
    throw new CairnError("CONFLICT", `Run \`${runId}\` ${state}, so nothing more can be done in it.`);
  }
  const { expires_at } = await findLease(desk, tenant, run);
  // The service's own runs are fenced alone: it renews no lease while it conducts them.
  if (!desk.isArchitect && Date.parse(expires_at) <= desk.now) {
    throw new CairnError("CONFLICT", `The lease of run \`${runId}\` ran out at ${expires_at}; claim a task again.`);
  }
  const { record: task } = await findTask(desk, run.task_id);
  desk.expect(entryKey(tenant, desk.scope, task), run.fence);
  return { tenant, record: run };
}

/**
 * The lease as the last heartbeat left it. It is kept beside the run: a heartbeat in the middle of a long step must not
 * change what that step has read. For the same reason this look at it binds the call to nothing.
 */
export async function findLease(
  desk: Pick<RecordDesk, "glance" | "scope">,
  tenant: string,
  run: Run,
): Promise<Run["lease"]> {
  const [renewed] = await desk.glance(runLeaseKey(tenant, desk.scope, run.run_id), 1);
  return typeof renewed?.value === "string" ? { ...run.lease, expires_at: renewed.value } : run.lease;
}

/** Shows a task as others find it: one whose worker let its lease run out is free again. */
export async function toShown(desk: RecordDesk, tenant: string, task: Task): Promise<Task> {
  if (task.status !== "running" || task.run_id === null || task.workflow === ARCHITECT.name) return task;
  const [stored] = await desk.glance(runKey(tenant, desk.scope, task.run_id), 1);
  if (stored === undefined) return task;
  const { expires_at } = await findLease(desk, tenant, readRun(stored.value));
  return Date.parse(expires_at) <= desk.now ? { ...task, status: "pending" } : task;
}

/** Key of a task's place in its queue. */
export function entryKey(tenant: string, scope: string, task: Task): Key {
  return [...workQueue(tenant, scope, PRIORITIES.indexOf(task.priority), toQueueName(task)), task.task_id];
}

/** Stands in the names of queues for workers that do tasks themselves; no capability can be called so. */
export const BY_WORKER = "@worker";

/** The name of the queue of a workflow for workers with certain capabilities. */
export function toQueueName({ workflow, requires, needs_worker }: Task): string {
  return [workflow, ...requires.toSorted(), ...(needs_worker === undefined ? [] : [BY_WORKER])].join(" ");
}

export function saveTask(desk: RecordDesk, tenant: string, task: Task): void {
  desk.set(taskKey(tenant, desk.scope, task.task_id), toRecord(task));
}

export function saveRun(desk: RecordDesk, tenant: string, run: Run): void {
  desk.set(runKey(tenant, desk.scope, run.run_id), toRecord(run));
  if (run.status !== "running") desk.delete(runLeaseKey(tenant, desk.scope, run.run_id));
}

/** Adds a line to the journal of the run, as of the commit: lines that are written at once in the meantime stand before it. */
export function note(
  desk: RecordDesk,
  tenant: string,
  run: Run,
  kind: string,
  details: JournalEvent["details"] = {},
): void {
  const { actor, time } = desk;
  desk.append(runLog(tenant, run.run_id), () => toRecord(toEvent({ now: time(), actor }, run, kind, details)));
}

export function toEvent(
  { now, actor }: Pick<RecordDesk, "now" | "actor">,
  { task_id, run_id }: Pick<Run, "task_id" | "run_id">,
  kind: string,
  details: JournalEvent["details"] = {},
): JournalEvent {
  return { schema_version: 1, kind, at: toTime(now), task_id, run_id, actor, details };
}
