import type { Handler } from "../../server/host-api.ts";
import { createReport } from "../_lib/work/report.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

const workflowVerify: Handler<StepInput> = async ({ task_id, run_id }, ctx) => {
  const began = ctx.now();
  const { task } = await ctx.work.tasks.get(task_id);
  const { problems } = await ctx.repository.validate(run_id);
  const { diff } = await ctx.git.diff(run_id);
  if (diff !== "") await ctx.work.evidence.write(run_id, "patch.diff", diff);
  const passed = problems.length === 0;
  const checks = [{ name: "The tree makes a version", passed, ...(passed ? {} : { message: problems.join("\n") }) }];
  const report = createReport({ task_id: task.task_id, run_id }, ctx.now(), passed ? "passed" : "failed", {
    began,
    errors: problems,
    metrics: { problems: problems.length, diff_bytes: diff.length },
  });
  await ctx.work.evidence.write(run_id, "verifier_report.json", JSON.stringify({ ...report, checks }));
  return passed ? { status: "completed" } : { status: "failed", message: problems.join("\n") };
};

export default workflowVerify;
