import type { Json } from "../../json/types.ts";
import type { Conjunction } from "./located.ts";
import type { CompatRule } from "./rules.ts";

/**
 * Takes note of where a proof fails. The path leads into a value: names of members, `[]` for items, `*` for other members.
 * `breaks` says of what stands at the path whether it is at fault; for a member that must be there, or that must not, of
 * the object around it. Without it, whatever is refused there is.
 */
export type Report = (path: readonly string[], rule: CompatRule, phrase: string, breaks?: Breaks) => void;

export type Breaks = (part: Json) => boolean;

/** Finds out whether it is proven that every value of `inner` is one of `outer`. */
export type Include = (inner: Conjunction, outer: Conjunction, path: readonly string[], report: Report) => boolean;

export const SILENT: Report = () => undefined;

/** Outcome of a proof of several parts: it holds until one of them fails. */
export interface Outcome {
  holds: boolean;
  /** Passes a failure on, and takes note that the proof does not hold. */
  readonly fail: Report;
}

export function createOutcome(report: Report): Outcome {
  const outcome: Outcome = {
    holds: true,
    fail: (...failure) => {
      outcome.holds = false;
      report(...failure);
    },
  };
  return outcome;
}
