import type { Context, Handler, RunPlan, TaskRecord } from "../../server/host-api.ts";
import { findDiff, listFiles, withoutDiff } from "../_lib/work/diff.ts";
import { readReport } from "../_lib/work/read-report.ts";
import { createReport } from "../_lib/work/report.ts";
import { nameFiles, type Plan, PLANNED_DIFF, specPath, type Step, toSpec } from "../_lib/work/spec.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

const workflowPlan: Handler<StepInput> = async ({ task_id, run_id }, ctx) => {
  const { task } = await ctx.work.tasks.get(task_id);
  const written = await readReport<Plan>(ctx, run_id, "plan.json");
  const plan = written ?? (await draft());
  if (written === undefined) await ctx.work.evidence.write(run_id, "plan.json", JSON.stringify(plan));
  await ctx.fs.writeFile(run_id, specPath(task_id), toSpec(task, plan));
  return { status: "completed", message: describe(plan) };

  async function draft(): Promise<Plan> {
    const diff = findDiff(task.objective);
    const made = diff === undefined ? await planWords() : planDiff(listFiles(diff));
    if (made.diff !== undefined) await ctx.work.evidence.write(run_id, PLANNED_DIFF, made.diff);
    const asked = `${task.title}. ${withoutDiff(task.objective)}`;
    const known = await ctx.repository.context(asked, made.files && { files: made.files });
    const {
      files = known.suggested_files,
      instructions,
      steps,
      planner,
      by,
      reasons = [],
      doubts = [],
      question,
    } = made;
    return {
      ...createReport({ task_id, run_id }, ctx.now(), "planned", { warnings: known.warnings }),
      objective: [`${task.title}: ${task.objective}`, ...toAnswers(task)].join("\n\n"),
      files,
      instructions,
      steps: [...steps, ...(made.files === undefined ? toEdits(known) : []), ...toChecks(known)],
      referenced_context: known.referenced_context,
      searched_by: known.searched_by,
      impact: toImpact(known),
      planner,
      carried_out_by: by,
      ...(reasons.length > 0 && { reasons }),
      ...(doubts.length > 0 && { doubts }),
      ...(question && { question }),
    };
  }

  async function planWords(): Promise<Made> {
    const { by, planner, changes, files, diff, why, doubts, question } = await planObjective();
    if (by === "worker") {
      return {
        planner,
        by,
        instructions: "Change these files as the objective says.",
        steps: [],
        reasons: why,
        question,
      };
    }
    const edits = files.map((file) => toStep(`Apply the planned change to \`${file}\`.`, [file]));
    const steps = [...changes.map((change) => toStep(change)), ...edits];
    return { planner, by, files, instructions: `Apply \`${PLANNED_DIFF}\` of this run.`, steps, diff, doubts };
  }

  /** A model that cannot be reached may be reached at the next attempt; at the last one, a worker does it. */
  async function planObjective(): Promise<RunPlan> {
    try {
      return await ctx.repository.plan(run_id);
    } catch (error) {
      const isUnreachable = error instanceof Error && /^UPSTREAM_(?:ERROR|TIMEOUT)$/.test(error.name);
      if (!isUnreachable || task.attempts < task.max_attempts) throw error;
      return { by: "worker", planner: "model", changes: [], files: [], diff: "", why: [error.message], doubts: [] };
    }
  }
};

/** Lists what the requester has answered, as parts of the objective. */
function toAnswers({ answers = [] }: TaskRecord): readonly string[] {
  return answers.map(({ text, reading }) => reading ?? text);
}

function describe({ files, carried_out_by: by, reasons = [] }: Plan): string {
  const how = by === "worker" ? ` A worker has to do it: ${reasons.join(" ")}` : "";
  return `Planned: ${nameFiles(files)}.${how}`;
}

/** A plan before its surroundings are known. */
interface Made {
  readonly planner: string | null;
  readonly by: "service" | "worker";
  /** Absent: those that it is most likely about. */
  readonly files?: readonly string[];
  readonly instructions: string;
  readonly steps: readonly Step[];
  readonly diff?: string;
  readonly reasons?: readonly string[];
  readonly doubts?: readonly string[];
  readonly question?: Plan["question"];
}

function planDiff(files: readonly string[]): Made {
  const steps = files.map((file) => toStep(`Apply the diff to \`${file}\`.`, [file]));
  return { planner: "diff", by: "service", files, instructions: "Apply the diff of the objective.", steps };
}

type Known = Awaited<ReturnType<Context["repository"]["context"]>>;

/** Makes a step for each file that may have to change, with the lines to read in it. */
function toEdits({ suggested_files, referenced_context }: Known): readonly Step[] {
  return suggested_files.map((file) => {
    const places = referenced_context
      .filter(({ path }) => path === file)
      .map(({ from_line, to_line, reason }) => `lines ${from_line} to ${to_line} (${reason})`);
    return toStep(`Change \`${file}\`${places.length === 0 ? "" : `: ${places.join(", ")}`}.`, [file]);
  });
}

/** Says what the change touches: a sentence for each part, then callers, tests, examples and pages by name. */
function toImpact({ impact }: Known): readonly string[] {
  const ids = new Set(impact.flatMap(({ affected }) => affected.map(({ id }) => id)));
  const lists = TOUCHED.flatMap(([kind, what]) => {
    const names = [...ids].filter((id) => id.startsWith(kind)).map((id) => id.slice(kind.length));
    return names.length === 0 ? [] : [`${what}: ${nameFiles(names)}.`];
  });
  return [...impact.map(({ sentence }) => sentence), ...lists];
}

/** Kinds of parts that whoever carries a plan out looks at, one by one. */
const TOUCHED = [
  ["tool:", "Tools"],
  ["test:", "Tests"],
  ["example:", "Examples"],
  ["page:", "Pages"],
] as const;

/** Makes a step for each part whose change affects others. */
function toChecks({ impact }: Known): readonly Step[] {
  const affecting = impact.filter(({ total }) => total > 0);
  return affecting.map(({ sentence }) => toStep(`Check what depends on it: ${sentence}`));
}

function toStep(description: string, files: readonly string[] = []): Step {
  return { description, files };
}

export default workflowPlan;
