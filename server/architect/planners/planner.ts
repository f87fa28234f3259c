import type { propose } from "../../capabilities/tuner/actions/propose.ts";
import type { Version } from "../../versions/version.ts";
import type { ChangePlan, Feedback, Plan } from "./plan.ts";

/** One way to a plan. Planners are asked one after the other until one has something to say. */
export interface Planner {
  readonly name: "directives" | "drift" | "wishes" | "evidence" | "model" | "worker";
  /** Undefined: this planner cannot tell what is wanted, so the next is asked. */
  plan(feedback: Feedback, ground: Ground): Promise<Plan | undefined>;
}

/** What planners may look at: one commit, and what is known of its tuning. */
export interface Ground {
  readonly version: Version;
  /** Paths of all files of the commit, in order. */
  readonly files: readonly string[];
  /** The text of a file of the commit; undefined where there is none, or none of text. */
  readText(path: string): Promise<string | undefined>;
  /** What a change of an experiment's defaults would be, with its evidence; rejects with CONFLICT where there is none yet. */
  propose(experiment: string): Promise<TuningProposal>;
  /** Tries a draft: guard and, where that has nothing against it, verification. Nothing of it is kept. */
  tryPlan(plan: ChangePlan, feedback: Feedback): Promise<TriedPlan>;
  /**
   * What takes back what earlier feedback has done, by its id or by that of a run of it; undefined where nobody knows here what
   * feedback has done. Rejects with a refusal where that cannot be planned.
   */
  reverse(feedback: string): Promise<Reversal | undefined>;
  /** Milliseconds since 1970: what is said of "now" begins on that day. */
  now(): number;
  readonly signal: AbortSignal;
}

/** The opposite of a change that has landed, or the id under which tuning is taken back. */
export type Reversal = ReversedChange | { readonly kind: "tuning"; readonly id: string };

interface ReversedChange {
  readonly kind: "change";
  /** What is taken back, in sentences. */
  readonly changes: readonly string[];
  /** By path; `null` deletes. */
  readonly files: ReadonlyMap<string, string | null>;
}

export interface TriedPlan {
  /** What is wrong, in sentences, with file and line where there is one; none: it holds. */
  readonly findings: readonly string[];
  /** Why somebody would have to approve it, in sentences. */
  readonly approvals: readonly string[];
}

export type TuningProposal = Awaited<ReturnType<typeof propose>>;
