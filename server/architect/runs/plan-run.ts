import { findRun, findTask } from "../../capabilities/work/desk.ts";
import { readArtifact } from "../../capabilities/work/evidence.ts";
import { findChosen, toAsked } from "../../capabilities/work/task.ts";
import { PATCH } from "../../capabilities/work/workflows.ts";
import { defined } from "../../json/defined.ts";
import type { ArchitectContext } from "../pipeline/context.ts";
import type { HandedWork } from "../pipeline/feedback-record.ts";
import type { Made } from "../pipeline/ask-planners.ts";
import { MESSAGE_LIMIT } from "../pipeline/submit-feedback.ts";
import type { WorkBook } from "../pipeline/work-book.ts";
import { planPatch } from "../planners/plan-patch.ts";
import type { ChangePlan } from "../planners/plan.ts";
import type { Ground } from "../planners/planner.ts";

/** A run that was handed over, and the book of the run that takes it on. */
export interface HandedRunBook {
  readonly book: WorkBook;
  readonly work: HandedWork;
}

/**
 * Makes a plan of the patch that a run has left, or the refusal of one. It is held to the words of the task, as any worker's plan is to those of its
 * feedback, unless these words alone say all of it: a diff in the objective, or a sentence that needs no worker.
 */
export async function planRun(
  { planners }: Pick<ArchitectContext, "planners">,
  { book, work }: HandedRunBook,
  ground: Ground,
): Promise<Made> {
  const { task, patch, doer } = await book.transact(async (desk) => {
    const { tenant, record: run } = await findRun(desk, work.run_id);
    const { record } = await findTask(desk, work.task_id);
    return { task: record, patch: (await readArtifact(desk, tenant, run, PATCH)) ?? "", doer: run.worker_id };
  });
  const plan = await planPatch(patch, ground, { task, by: [...new Set([work.worker.actor, doer])] });
  const message = toAsked(task);
  if (message.length > MESSAGE_LIMIT) return { planner: "worker", plan };
  // A reading that the requester has chosen says all of it as well.
  const choice = findChosen(task);
  const name = choice === undefined ? "directives" : "wishes";
  const reader = planners.find((one) => one.name === name);
  const asked = await reader?.plan({ message, attachments: [], ...defined({ choice }) }, ground);
  // What the words themselves say that no feedback may change would be no other in another attempt.
  const isAsked =
    plan.kind === "change" ? asked?.kind === "change" && hasFiles(asked, plan) : asked?.kind === plan.kind;
  return { planner: isAsked ? name : "worker", plan };
}

/** Tells whether two plans make all files alike. */
function hasFiles({ files }: ChangePlan, { files: others }: ChangePlan): boolean {
  return files.size === others.size && [...files].every(([path, text]) => others.get(path) === text);
}
