import { isObject } from "../json/is-object.ts";
import { readJson } from "../json/read-json.ts";
import type { FeedbackRecord } from "./pipeline/feedback-record.ts";
import type { PlannedChange } from "./pipeline/run.ts";
import type { Plan } from "./planners/plan.ts";
import type { Planner } from "./planners/planner.ts";

/** Decision about feedback, and the commits that it was made on: a run keeps it. */
export interface Decision extends Pick<PlannedChange, "from" | "head"> {
  readonly plan: Plan;
  readonly planner: Planner["name"] | null;
}

/** Name of the evidence that has it. */
export const DECISION = "decision.json";

export function toDecisionText({ planner, plan, from, head }: Decision): string {
  const plain = plan.kind === "change" ? { ...plan, files: [...plan.files] } : plan;
  return JSON.stringify({ planner, plan: plain, from, head });
}

/** Undefined where nothing was kept. */
export function readDecision(
  text: string | undefined,
  { commit }: Pick<FeedbackRecord, "commit">,
): Decision | undefined {
  const kept = readJson(text ?? "null");
  if (!isObject(kept)) return undefined;
  const {
    planner,
    plan: decided,
    head,
    from = commit,
  } = kept as {
    readonly planner: Planner["name"];
    readonly plan: Plan & { readonly files: [string, string | null][] };
    /** Absent of what an older Cairn has kept. */
    readonly from?: string;
    readonly head: string;
  };
  const plan = decided.kind === "change" ? { ...decided, files: new Map(decided.files) } : decided;
  return { planner, from, head, plan };
}
