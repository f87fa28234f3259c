import { specPath } from "../../capabilities/work/gate.ts";
import type { Task } from "../../capabilities/work/task.ts";
import { findWorkflow } from "../../capabilities/work/workflows.ts";
import { findTextFaults } from "../guard/find-text-faults.ts";
import { toRejection } from "../guard/refuse.ts";
import { applyDiff } from "./directives/apply-diff.ts";
import { createBench } from "./directives/bench.ts";
import type { ChangePlan, Plan } from "./plan.ts";
import type { Ground } from "./planner.ts";

/** The task that a patch is of, and whose credentials have made it. */
export interface PatchOrigin {
  readonly task: Task;
  readonly by: readonly string[];
}

/** Makes a plan of the patch that a worker has left, or a refusal where it does not fit. */
export async function planPatch(patch: string, ground: Ground, { task, by }: PatchOrigin): Promise<Plan> {
  try {
    const bench = createBench(ground);
    await applyDiff(bench, patch);
    const plan = bench.toPlan();
    return plan.kind === "change" ? titled(withoutSpec(plan, task.task_id), ground, task, by) : plan;
  } catch (error) {
    return toRejection(error);
  }
}

/** Leaves out what the steps of the workflow wrote of the task: the Architect writes that of the feedback. */
function withoutSpec(plan: ChangePlan, taskId: string): ChangePlan {
  const spec = specPath(taskId);
  const files = new Map([...plan.files].filter(([path]) => path !== spec));
  return { ...plan, files, changes: plan.changes.filter((text) => !text.includes(`\`${spec}\``)) };
}

/** Called after the message, unless a commit must not be called so: whoever wrote `Fixes #12` has lost no worker's work. */
function titled(plan: ChangePlan, { version }: Ground, task: Task, by: readonly string[]): ChangePlan {
  const title = findTextFaults([], [["title", task.title]]).length === 0 ? task.title : plan.title;
  // Of a run with steps the last step has spoken, and not of the change.
  const { steps } = findWorkflow(version, task.workflow);
  const said = steps.length > 0 ? undefined : task.result_summary;
  const sentence = said?.replaceAll(/\s+/g, " ").slice(0, 500).toWellFormed();
  return { ...plan, title, by, changes: [...(sentence ? [sentence] : []), ...plan.changes] };
}
