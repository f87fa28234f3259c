import type { Context, Handler } from "../../server/host-api.ts";
import { readReport } from "../_lib/work/read-report.ts";
import { createReport } from "../_lib/work/report.ts";
import { type Plan, specPath, toSpec } from "../_lib/work/spec.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

const workflowVerify: Handler<StepInput> = async ({ task_id, run_id }, ctx) => {
  const began = ctx.now();
  const { task } = await ctx.work.tasks.get(task_id);
  // A worker that mends its change has planned anew: the spec says what is verified now.
  const plan = await readReport<Plan>(ctx, run_id, "plan.json");
  if (plan !== undefined) await ctx.fs.writeFile(run_id, specPath(task_id), toSpec(task, plan));
  const { diff } = await ctx.git.diff(run_id);
  const { status, checks } = await ctx.repository.verify(run_id);
  // Evidence is for readers who may not have what looks like a credential.
  const hasSecret = checks.some(({ name, status: outcome }) => name === "secrets" && outcome === "failed");
  if (diff !== "" && !hasSecret) await ctx.work.evidence.write(run_id, "patch.diff", diff);
  const linesOf = (wanted: string) =>
    checks.filter((check) => check.status === wanted).map(({ name, message }) => `${name}: ${message}`);
  const errors = linesOf("failed");
  const report = createReport({ task_id: task.task_id, run_id }, ctx.now(), status, {
    began,
    errors,
    warnings: [
      ...linesOf("warning"),
      ...linesOf("skipped").map((line) => `Not tried: ${line}`),
      ...(hasSecret ? ["`patch.diff` is not kept: the change has what looks like a credential."] : []),
      ...checks.flatMap(toGap),
    ],
    metrics: { problems: errors.length, diff_bytes: diff.length, ...toCounts(checks) },
  });
  // Of a check that was not tried nobody can say that it passed.
  const kept = checks.flatMap(({ name, status: outcome, message }) =>
    outcome === "skipped" ? [] : [{ name, passed: outcome !== "failed", message }],
  );
  await ctx.work.evidence.write(run_id, "verifier_report.json", JSON.stringify({ ...report, checks: kept }));
  return status === "passed" ? { status: "completed" } : { status: "failed", message: errors.join("\n") };
};

type Check = Awaited<ReturnType<Context["repository"]["verify"]>>["checks"][number];

/** Numbers of declared commands (`tests`) and examples that ran, and of those that did not. */
function toCounts(checks: readonly Check[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    checks.flatMap(({ name, ran, skipped = 0 }) =>
      ran === undefined ? [] : [[name, ran] as const, [`${name}_not_run`, skipped] as const],
    ),
  );
}

/** Sentence about what a check of which some was tried left out. */
function toGap({ name, status, skipped = 0, message }: Check): readonly string[] {
  return skipped === 0 || status === "skipped" ? [] : [`Not tried in whole: ${name}: ${message}`];
}

export default workflowVerify;
