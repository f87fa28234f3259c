import type { propose } from "../../capabilities/tuner/actions/propose.ts";
import type { Version } from "../../versions/version.ts";
import type { Feedback, Plan } from "./plan.ts";

/** One way to a plan. Planners are asked one after the other until one has something to say. */
export interface Planner {
  readonly name: "directives" | "wishes" | "evidence" | "model" | "worker";
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
  readonly signal: AbortSignal;
}

export type TuningProposal = Awaited<ReturnType<typeof propose>>;
