import { runKey } from "../../../store/keys.ts";
import { TASKS } from "../../../store/waiting-keys.ts";
import type { Key, Store } from "../../../store/store.ts";
import { readRun, type Run } from "../run.ts";
import { isAsking, readTask, type Task } from "../task.ts";

/** Run that waits for a decision, with its task and the place of both. */
export interface WaitingRun {
  readonly tenant: string;
  readonly scope: string;
  readonly task: Task;
  readonly run: Run;
}

/** Finds the tasks whose planners ask something, among all of a data folder. */
export async function findAskingTasks(store: Pick<Store, "scan">): Promise<readonly Task[]> {
  const found: Task[] = [];
  for await (const { value } of store.scan({ prefix: TASKS })) {
    const task = readTask(value);
    if (isAsking(task)) found.push(task);
  }
  return found;
}

/** Finds the runs that wait for a decision, among these tasks: all of a data folder unless a `scan` is given. */
export async function findWaitingRuns(
  store: Pick<Store, "get" | "scan">,
  scan: Parameters<Store["scan"]>[0] = { prefix: TASKS },
): Promise<readonly WaitingRun[]> {
  const found: WaitingRun[] = [];
  for await (const { key, value } of store.scan(scan)) {
    const task = readTask(value);
    if (task.status !== "blocked" || task.run_id === null) continue;
    const { tenant, scope } = toPlace(key);
    const stored = await store.get(runKey(tenant, scope, task.run_id));
    if (stored === undefined) continue;
    const run = readRun(stored.value);
    // Of one that was handed over, its proposal waits, which has a run of its own.
    if (run.proposal === undefined) found.push({ tenant, scope, task, run });
  }
  return found;
}

function toPlace(key: Key): { readonly tenant: string; readonly scope: string } {
  const [tenant = "", scope = ""] = key.slice(TASKS.length);
  return { tenant: String(tenant), scope: String(scope) };
}
