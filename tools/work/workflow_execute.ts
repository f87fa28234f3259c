import type { Handler, PatchReport } from "../../server/host-api.ts";
import { findDiff } from "../_lib/work/diff.ts";
import { readReport } from "../_lib/work/read-report.ts";
import { createReport } from "../_lib/work/report.ts";
import { nameFiles, type Plan, PLANNED_DIFF, specPath, toSpec } from "../_lib/work/spec.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

interface CommandReport {
  readonly command: readonly string[];
  readonly exit_code: number | null;
  readonly stderr: string;
}

const STDERR_SHOWN = 2000;

const workflowExecute: Handler<StepInput> = async ({ task_id, run_id }, ctx) => {
  const began = ctx.now();
  const { task } = await ctx.work.tasks.get(task_id);
  const plan = await readReport<Plan>(ctx, run_id, "plan.json");
  if (plan === undefined) throw ctx.fail("CONFLICT", "There is no `plan.json`, and nothing is done without a plan.");
  const reported = await readReport<{ readonly status: string }>(ctx, run_id, "executor_report.json");
  if (reported !== undefined) {
    await write("patch_apply_report.json", "nothing", { files: [] });
    return { status: reported.status === "failed" ? "failed" : "completed", message: "The worker has done it." };
  }
  const diff = await findPlannedDiff(plan, task.objective);
  if (diff === undefined && plan.commands === undefined) {
    const { reasons = ["The objective has no diff, and the plan has no change and no commands."] } = plan;
    return {
      status: "released",
      message: `A worker has to do this itself. ${reasons.join(" ")} It writes \`executor_report.json\` before it asks for this step.`,
    };
  }
  // A step that was cut short begins anew, from the commit.
  await ctx.fs.reset(run_id);
  await ctx.fs.writeFile(run_id, specPath(task_id), toSpec(task, plan));
  const patched: PatchReport =
    diff === undefined ? { status: "applied", files: [] } : await ctx.fs.applyPatch(run_id, diff);
  const rejected = patched.files.flatMap(({ path, message }) => (message === undefined ? [] : [`${path}: ${message}`]));
  await write(
    "patch_apply_report.json",
    diff === undefined ? "nothing" : patched.status,
    { files: patched.files },
    rejected,
  );
  if (patched.status === "rejected") return fail("The diff does not apply.", rejected);
  const commands: CommandReport[] = [];
  for (const command of plan.commands ?? []) {
    const { exit_code, stderr } = await ctx.exec.run(run_id, command);
    commands.push({ command, exit_code, stderr: stderr.slice(0, STDERR_SHOWN) });
    if (exit_code !== 0) return fail(`\`${command.join(" ")}\` failed.`, [stderr.slice(0, STDERR_SHOWN)], commands);
  }
  const files = (await ctx.git.status(run_id)).map(({ path }) => path);
  await write("executor_report.json", "completed", { summary: "Done as planned.", files, commands });
  return { status: "completed", message: `Changed: ${nameFiles(files)}.` };

  /** The diff of the objective, or the one that the service has planned. */
  async function findPlannedDiff({ planner, carried_out_by: by }: Plan, objective: string) {
    const given = findDiff(objective);
    if (given !== undefined || by !== "service" || planner === "diff") return given;
    return (await ctx.work.evidence.read(run_id, PLANNED_DIFF)).content;
  }

  async function fail(summary: string, errors: readonly string[], ran: readonly CommandReport[] = []) {
    await write("executor_report.json", "failed", { summary, commands: ran }, errors);
    return { status: "failed", message: summary };
  }

  async function write(name: string, status: string, more: object, errors: readonly string[] = []) {
    const report = createReport({ task_id, run_id }, ctx.now(), status, { began, errors });
    await ctx.work.evidence.write(run_id, name, JSON.stringify({ ...report, ...more }));
  }
};

export default workflowExecute;
