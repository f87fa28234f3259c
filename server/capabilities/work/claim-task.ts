import { runKey, workersOf, workOwnerKey, workQueue, workQueuesOf, workServed, workTenants } from "../../store/keys.ts";
import type { Claimed } from "../../store/store.ts";
import type { WorkerRecord } from "./api.ts";
import {
  BY_WORKER,
  entryKey,
  findLease,
  findTask,
  note,
  saveRun,
  saveTask,
  toQueueName,
  type WorkDesk,
} from "./desk.ts";
import type { Workflow } from "../../versions/workflow.ts";
import { changeRun, readRun, type Run } from "./run.ts";
import { changeTask, isEnded, type Task, toTimestamps, WORK_SCHEMA_VERSION } from "./task.ts";
import { toTime } from "../../text/to-time.ts";
import { ARCHITECT } from "./workflows.ts";

/** Entries that one claim may find to be of no use, before it says that there is nothing. */
const LOOK_LIMIT = 32;
const TENANT_LIMIT = 10_000;
const QUEUE_LIMIT = 256;

export interface ClaimRequest {
  readonly workerId: string;
  /** Its capabilities. */
  readonly capabilities?: readonly string[];
  /** The workflows that it follows; absent: any. */
  readonly workflows?: readonly string[];
  /** True when only tasks will do whose steps the service can do. */
  readonly withSteps?: boolean;
  /** The one task that it asks for; absent: the next one. */
  readonly taskId?: string;
  /** Seconds that its lease lasts; absent: as the workflow says. */
  readonly leaseSeconds?: number;
}

export interface ClaimedTask {
  readonly tenant: string;
  readonly task: Task;
  readonly run: Run;
  /** A run whose lease had run out. */
  readonly lost?: Run;
}

/**
 * The next task for a worker, leased to it: the most urgent first, then the oldest. Where it serves several tenants, they
 * have their turns. A run begins, or one that was approved goes on. A task whose lease ran out too often is given up.
 */
export async function claimTask(desk: WorkDesk, request: ClaimRequest): Promise<ClaimedTask | undefined> {
  const { scope, now, actor } = desk;
  const { workerId, capabilities = [], workflows, withSteps = false, taskId } = request;
  desk.set([...workersOf(desk.tenant, scope), workerId], {
    worker_id: workerId,
    actor,
    capabilities,
    ...(workflows !== undefined && { workflows }),
    ...(withSteps && { with_steps: true }),
    seen_at: toTime(now),
  } satisfies WorkerRecord);
  if (taskId !== undefined) return claimOne(desk, request, taskId);
  let looked = 0;
  for (const tenant of await toServe(desk)) {
    for (const { key } of await desk.glance(workQueuesOf(tenant, scope), QUEUE_LIMIT)) {
      const [rank, kind] = [Number(key.at(-2)), String(key.at(-1))];
      const hold = toHold(desk, request, kind);
      if (hold === undefined) continue;
      for (; looked < LOOK_LIMIT; looked += 1) {
        const queue = workQueue(tenant, scope, rank, kind);
        const [entry] = await desk.claim({ queue, leaseMs: hold.seconds * 1000, limit: 1 });
        if (entry === undefined) break;
        const claimed = await begin(desk, tenant, entry, hold);
        if (claimed === undefined) continue;
        if (desk.servesAll) desk.set([...workServed(scope), tenant], desk.createId());
        return claimed;
      }
    }
  }
  return undefined;
}

/** Leases the task of this id, if it is free and this worker may have it. @throws NOT_FOUND */
async function claimOne(desk: WorkDesk, request: ClaimRequest, taskId: string): Promise<ClaimedTask | undefined> {
  const { tenant, record: task } = await findTask(desk, taskId);
  const hold = toHold(desk, request, toQueueName(task));
  if (hold === undefined) return undefined;
  const queue = entryKey(tenant, desk.scope, task).slice(0, -1);
  const [entry] = await desk.claim({ queue, leaseMs: hold.seconds * 1000, limit: 1, entry: taskId });
  return entry === undefined ? undefined : begin(desk, tenant, entry, hold);
}

/** Finds how this worker would hold tasks of a queue; undefined where they are for others. */
function toHold(desk: WorkDesk, request: ClaimRequest, kind: string): Hold | undefined {
  const { workerId, capabilities = [], workflows, withSteps = false, leaseSeconds } = request;
  const [workflow = "", ...requires] = kind.split(" ");
  if ((workflow === ARCHITECT.name) !== desk.isArchitect) return undefined;
  const declared = desk.isArchitect ? ARCHITECT : desk.version.workflows.get(workflow);
  if (workflows !== undefined && !workflows.includes(workflow)) return undefined;
  if (withSteps && (declared?.steps ?? []).length === 0) return undefined;
  const isAble = (what: string) => (what === BY_WORKER ? !withSteps : capabilities.includes(what));
  if (!requires.every(isAble)) return undefined;
  return { workerId, seconds: leaseSeconds ?? declared?.leaseSeconds ?? LEASE_SECONDS, declared };
}

/** Seconds that a task is a worker's without a heartbeat, unless its workflow or the worker says otherwise. */
const LEASE_SECONDS = 300;

/** Lists the tenants to serve, the one that has waited longest first. */
async function toServe(desk: WorkDesk): Promise<readonly string[]> {
  if (!desk.servesAll) return [desk.tenant];
  const [tenants, served] = await Promise.all([
    desk.glance(workTenants(desk.scope), TENANT_LIMIT),
    desk.glance(workServed(desk.scope), TENANT_LIMIT),
  ]);
  // Ids sort by when they were made, also within a millisecond.
  const servedAt = new Map(served.map(({ key, value }) => [key.at(-1), String(value)]));
  const last = (tenant: string) => servedAt.get(tenant) ?? "";
  return tenants.map(({ key }) => String(key.at(-1))).toSorted((a, b) => (last(a) < last(b) ? -1 : 1));
}

interface Hold {
  readonly workerId: string;
  readonly seconds: number;
  /** Absent for a task of a workflow that this version does not declare. */
  readonly declared: Workflow | undefined;
}

/** Begins a run of the task behind the entry, or gives the task up. */
async function begin(
  desk: WorkDesk,
  tenant: string,
  { key, fence }: Claimed,
  { workerId, seconds, declared }: Hold,
): Promise<ClaimedTask | undefined> {
  const { now, scope } = desk;
  desk.expect(key, fence);
  const { record: task } = await findTask({ ...desk, tenant, servesAll: false }, String(key.at(-1)));
  const earlier = await findLatest(desk, tenant, task);
  if (isEnded(task) || task.status === "blocked") {
    desk.delete(key);
    return undefined;
  }
  const hold = { worker_id: workerId, actor: { tenant: desk.tenant, name: desk.actor }, fence };
  const lease = { seconds, expires_at: toTime(now + seconds * 1000) };
  if (earlier?.status === "approved") {
    const run = changeRun(earlier, now, { ...hold, lease, status: "running" });
    saveRun(desk, tenant, run);
    note(desk, tenant, run, "run.resumed", { worker_id: workerId, fence });
    return take(desk, tenant, task, run);
  }
  const lost = earlier?.status === "running" ? await endLost(desk, tenant, earlier) : undefined;
  if (task.attempts >= task.max_attempts) {
    desk.delete(key);
    const summary = `Given up after ${task.attempts} attempts; the last one ran out of its lease.`;
    saveTask(desk, tenant, changeTask(task, now, { status: "dead", result_summary: summary }));
    return undefined;
  }
  const runId = desk.createId();
  const warnings = await findWarnings(desk, tenant, task, declared);
  const run: Run = {
    schema_version: WORK_SCHEMA_VERSION,
    run_id: runId,
    task_id: task.task_id,
    workflow: task.workflow,
    status: "running",
    risk_level: null,
    run_path: `runs/${runId}`,
    timestamps: toTimestamps({ created_at: toTime(now) }, now, false),
    version: desk.version.semver,
    commit: task.commit,
    ...hold,
    attempt: task.attempts + 1,
    lease,
    steps: [],
    artifacts: {},
    result_summary: null,
    ...warnings,
  };
  saveRun(desk, tenant, run);
  desk.set(workOwnerKey(scope, runId), tenant);
  note(desk, tenant, run, "run.began", { worker_id: workerId, fence, attempt: run.attempt, ...warnings });
  const taken = take(desk, tenant, { ...task, attempts: run.attempt }, run);
  return lost === undefined ? taken : { ...taken, lost };
}

/** Says at the beginning what would otherwise be found at the end: a risky change that nobody could approve. */
async function findWarnings(
  desk: WorkDesk,
  tenant: string,
  { task_id: taskId, created_by }: Task,
  declared: Workflow | undefined,
): Promise<Pick<Run, "warnings">> {
  if (declared === undefined || declared.approvals.length === 0) return {};
  const others = [...new Set([created_by, ...(tenant === desk.tenant ? [desk.actor] : [])])];
  const gap = await desk.findApprovalGap({ tenant, taskId, others });
  if (gap === undefined) return {};
  return { warnings: [`A change of ${declared.approvals.join(" or ")} risk will wait. ${gap}`] };
}

function take(desk: WorkDesk, tenant: string, task: Task, run: Run): ClaimedTask {
  const change = { status: "running", run_id: run.run_id, workspace_path: `workspaces/${run.run_id}` } as const;
  const taken = changeTask(task, desk.now, change);
  saveTask(desk, tenant, taken);
  return { tenant, task: taken, run };
}

async function findLatest(desk: WorkDesk, tenant: string, task: Task): Promise<Run | undefined> {
  if (task.run_id === null) return undefined;
  const value = await desk.get(runKey(tenant, desk.scope, task.run_id));
  return value === undefined ? undefined : readRun(value);
}

async function endLost(desk: WorkDesk, tenant: string, run: Run): Promise<Run> {
  const { expires_at } = await findLease(desk, tenant, run);
  const lost = changeRun(run, desk.now, { status: "lost" });
  saveRun(desk, tenant, lost);
  note(desk, tenant, lost, "run.lost", { worker_id: run.worker_id, expired_at: expires_at });
  return lost;
}
