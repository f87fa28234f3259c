import type { Handler } from "../../server/host-api.ts";
import { createReport } from "../_lib/work/report.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

const workflowVerify: Handler<StepInput> = async ({ task_id, run_id }, ctx) => {
  const began = ctx.now();
  const { task } = await ctx.work.tasks.get(task_id);
  const { diff } = await ctx.git.diff(run_id);
  if (diff !== "") await ctx.work.evidence.write(run_id, "patch.diff", diff);
  const { status, checks } = await ctx.repository.verify(run_id);
  const linesOf = (wanted: string) =>
    checks.filter((check) => check.status === wanted).map(({ name, message }) => `${name}: ${message}`);
  const errors = linesOf("failed");
  const report = createReport({ task_id: task.task_id, run_id }, ctx.now(), status, {
    began,
    errors,
    warnings: [...linesOf("warning"), ...linesOf("skipped")],
    metrics: { problems: errors.length, diff_bytes: diff.length },
  });
  const kept = checks.map(({ name, status: outcome, message }) => ({ name, passed: outcome !== "failed", message }));
  await ctx.work.evidence.write(run_id, "verifier_report.json", JSON.stringify({ ...report, checks: kept }));
  return status === "passed" ? { status: "completed" } : { status: "failed", message: errors.join("\n") };
};

export default workflowVerify;
