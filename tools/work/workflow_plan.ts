import type { Context, Handler } from "../../server/host-api.ts";
import { findDiff, listFiles, withoutDiff } from "../_lib/work/diff.ts";
import { readReport } from "../_lib/work/read-report.ts";
import { createReport } from "../_lib/work/report.ts";
import { nameFiles, specPath, type Plan, type Step, toSpec } from "../_lib/work/spec.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

const workflowPlan: Handler<StepInput> = async ({ task_id, run_id }, ctx) => {
  const { task } = await ctx.work.tasks.get(task_id);
  const written = await readReport<Plan>(ctx, run_id, "plan.json");
  const plan = written ?? (await draft());
  if (written === undefined) await ctx.work.evidence.write(run_id, "plan.json", JSON.stringify(plan));
  await ctx.fs.writeFile(run_id, specPath(task_id), toSpec(task, plan));
  return {
    status: "completed",
    message: `Planned: ${nameFiles(plan.files)}.`,
  };

  async function draft(): Promise<Plan> {
    const diff = findDiff(task.objective);
    const files = diff === undefined ? [] : listFiles(diff);
    const known = await ctx.repository.context(`${task.title}. ${withoutDiff(task.objective)}`, { files });
    return {
      ...createReport({ task_id, run_id }, ctx.now(), "planned", { warnings: known.warnings }),
      objective: `${task.title}: ${task.objective}`,
      files: diff === undefined ? known.suggested_files : files,
      instructions:
        diff === undefined ? "Change these files as the objective says." : "Apply the diff of the objective.",
      steps:
        diff === undefined ? toSteps(known) : files.map((file) => toStep(`Apply the diff to \`${file}\`.`, [file])),
      referenced_context: known.referenced_context,
      impact: known.impact.map(({ sentence }) => sentence),
    };
  }
};

type Known = Awaited<ReturnType<Context["repository"]["context"]>>;

/** Makes a step for each file that may have to change, with the lines to read in it, then one for each part whose change affects others. */
function toSteps({ suggested_files, referenced_context, impact }: Known): readonly Step[] {
  const edits = suggested_files.map((file) => {
    const places = referenced_context
      .filter(({ path }) => path === file)
      .map(({ from_line, to_line, reason }) => `lines ${from_line} to ${to_line} (${reason})`);
    return toStep(`Change \`${file}\`${places.length === 0 ? "" : `: ${places.join(", ")}`}.`, [file]);
  });
  const checks = impact.filter(({ total }) => total > 0);
  return [...edits, ...checks.map(({ sentence }) => toStep(`Check what depends on it: ${sentence}`))];
}

function toStep(description: string, files: readonly string[] = []): Step {
  return { description, files };
}

export default workflowPlan;
