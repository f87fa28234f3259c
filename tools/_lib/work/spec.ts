import type { RunPlan, TaskRecord } from "../../../server/host-api.ts";

/** `plan.json`. */
export interface Plan {
  readonly schema_version: number;
  readonly task_id: string;
  readonly run_id: string;
  readonly objective: string;
  readonly files: readonly string[];
  readonly instructions: string;
  readonly steps?: readonly Step[];
  readonly referenced_context?: readonly { readonly path: string; readonly from_line?: number }[];
  readonly searched_by?: string;
  readonly impact?: readonly string[];
  readonly warnings?: readonly string[];
  readonly commands?: readonly (readonly string[])[];
  readonly planner?: string | null;
  readonly carried_out_by?: "service" | "worker";
  /** Reasons why a worker has to carry it out. */
  readonly reasons?: readonly string[];
  /** Question about the objective that its requester can answer. */
  readonly question?: RunPlan["question"];
  /** Reasons why somebody has to approve what comes of it. */
  readonly doubts?: readonly string[];
}

/** The change of a plan that the service carries out, as evidence of its run. */
export const PLANNED_DIFF = "planned.diff";

export function specPath(taskId: string): string {
  return `docs/specs/${taskId}_SPEC.md`;
}

/** Files by name, but not hundreds of them. */
export function nameFiles(files: readonly string[]): string {
  const named = files.slice(0, NAMED).map((file) => `\`${file}\``);
  const more = files.length > NAMED ? [`${files.length - NAMED} more`] : [];
  return files.length === 0 ? "nothing" : [...named, ...more].join(", ");
}

const NAMED = 10;

export interface Step {
  readonly description: string;
  /** Paths in the workspace. */
  readonly files?: readonly string[];
}

/** The spec of a task, in Markdown: what, how, and what else it touches. */
export function toSpec(task: Pick<TaskRecord, "title" | "objective" | "answers">, plan: Plan): string {
  const { answers = [] } = task;
  const {
    files,
    instructions,
    steps = [],
    impact = [],
    warnings = [],
    referenced_context = [],
    reasons = [],
    doubts = [],
  } = plan;
  const sections = [
    ["Objective", task.objective],
    ["Answers", toList(answers.map(({ text, reading }) => reading ?? text))],
    ["Files", toList(files.map((file) => `\`${file}\``))],
    ["Instructions", [instructions, toList(steps.map(({ description }) => description))].filter(Boolean).join("\n\n")],
    ["Why a worker does it", toList(reasons)],
    ["Why somebody approves it", toList(doubts)],
    ["What else it affects", toList([...impact, ...warnings])],
    [
      "Read for it",
      toList(
        referenced_context.map(
          ({ path, from_line }) => `\`${path}\`${from_line === undefined ? "" : `, line ${from_line}`}`,
        ),
      ),
    ],
  ];
  const body = sections.flatMap(([title = "", text = ""]) => (text === "" ? [] : [`## ${title}\n\n${text}\n`]));
  return `# ${task.title}\n\n${body.join("\n")}`;
}

function toList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}
