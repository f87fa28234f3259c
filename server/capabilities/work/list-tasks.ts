import { tasksOf } from "../../store/keys.ts";
import { toShown, type WorkDesk } from "./desk.ts";
import { readTask, type Task } from "./task.ts";

export interface TaskFilter {
  readonly status?: Task["status"];
  /** Continues behind this task. */
  readonly after?: string;
  readonly limit: number;
}

/** Largest number of tasks that one listing reads. */
const LOOKED_AT = 1000;

/** A tenant's tasks, newest first; `next` is where a further listing goes on. */
export async function listTasks(
  desk: WorkDesk,
  { status, after, limit }: TaskFilter,
): Promise<{ readonly tasks: readonly Task[]; readonly next: string | null }> {
  const prefix = tasksOf(desk.tenant, desk.scope);
  const options = { limit: LOOKED_AT, reverse: true };
  const found = await desk.scan(prefix, after === undefined ? options : { ...options, after: [...prefix, after] });
  const tasks: Task[] = [];
  for (const { value } of found) {
    const task = await toShown(desk, desk.tenant, readTask(value));
    if (status === undefined || task.status === status) tasks.push(task);
    if (tasks.length === limit) return { tasks, next: task.task_id };
  }
  const last = found.length === LOOKED_AT ? found.at(-1)?.key.at(-1) : undefined;
  return { tasks, next: typeof last === "string" ? last : null };
}
