import { toTime } from "../../text/to-time.ts";
import { defined } from "../../json/defined.ts";
import { CairnError } from "../../errors.ts";
import { workOwnerKey, workQueuesOf, workTenants } from "../../store/keys.ts";
import { entryKey, saveTask, toQueueName, type WorkDesk } from "./desk.ts";
import { PRIORITIES, type Priority, type Task, toTimestamps, WORK_SCHEMA_VERSION } from "./task.ts";
import { findWorkflow } from "./workflows.ts";

/** Queues of one tenant: each claim looks at all that a worker could serve. */
const QUEUE_LIMIT = 256;

export interface TaskRequest {
  readonly title: string;
  readonly objective: string;
  readonly priority?: Priority;
  readonly workflow?: string;
  /** Capabilities that a worker must have to get it. */
  readonly requires?: readonly string[];
  /** Set where the service knows that it cannot do it: see `Task`. */
  readonly needsWorker?: string;
}

/** @throws NOT_FOUND for a workflow that there is not; CONFLICT for one more kind of worker than a tenant may ask for. */
export async function createTask(desk: WorkDesk, request: TaskRequest): Promise<Task> {
  const { tenant, scope, version, actor, now } = desk;
  const { title, objective, priority = "medium", requires = [] } = request;
  const workflow = findWorkflow(version, request.workflow);
  const task: Task = {
    schema_version: WORK_SCHEMA_VERSION,
    task_id: desk.createId(),
    title,
    objective,
    status: "pending",
    priority,
    timestamps: toTimestamps({ created_at: toTime(now) }, now, false),
    workspace_path: null,
    workflow: workflow.name,
    version: version.semver,
    commit: version.commit,
    created_by: actor,
    requires,
    ...defined({ needs_worker: request.needsWorker }),
    attempts: 0,
    max_attempts: workflow.maxAttempts,
    run_id: null,
    result_summary: null,
  };
  await openQueue(desk, tenant, task);
  saveTask(desk, tenant, task);
  desk.set(workOwnerKey(scope, task.task_id), tenant);
  desk.set(entryKey(tenant, scope, task), task.task_id);
  return task;
}

/** So that claims find the queue of a task. It stays when it is empty: others may be about to use it. */
export async function openQueue(desk: WorkDesk, tenant: string, task: Task): Promise<void> {
  const { scope } = desk;
  const queues = workQueuesOf(tenant, scope);
  const key = [...queues, PRIORITIES.indexOf(task.priority), toQueueName(task)];
  if ((await desk.get(key)) === undefined) {
    const others = await desk.scan(queues, { limit: QUEUE_LIMIT, reverse: false });
    if (others.length >= QUEUE_LIMIT) {
      throw new CairnError(
        "CONFLICT",
        `There are tasks of ${QUEUE_LIMIT} kinds (priority, workflow and what workers must be able to do); use one of those.`,
      );
    }
    desk.set(key, true);
  }
  const known = [...workTenants(scope), tenant];
  if ((await desk.get(known)) === undefined) desk.set(known, true);
}
