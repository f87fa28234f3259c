import type { Attempt } from "./attempt.ts";
import type { Isolate } from "./isolate.ts";
import type { LossReason } from "./wire.ts";

/** Isolates that are no more, alone or with their process. */
export interface Loss {
  readonly isolates: readonly Isolate[];
  /** Those among which the cause is. */
  readonly guilty: ReadonlySet<Isolate>;
  readonly reason: LossReason;
  /** Whether what ran in the guilty ones is known to be the cause, or merely was there. */
  readonly certain: boolean;
}

/** A culprit fails, a suspect runs again with nobody else at stake, a bystander just runs again. */
export type Verdict = "culprit" | "suspect" | "bystander";

/**
 * Who pays for a loss. Only a call that was executing can be at fault, be it one that its caller has given up since. One
 * alone is; of several nobody knows which one it was, and memory may be held by a call that waits.
 */
export function judge(loss: Loss, isSolitary: boolean): ReadonlyMap<Attempt, Verdict> {
  const executing = new Set([...loss.guilty].flatMap((isolate) => isolate.executing()));
  const verdicts = new Map<Attempt, Verdict>();
  for (const { attempts } of loss.isolates) {
    const alone =
      isSolitary || (loss.certain && executing.size === 1 && (loss.reason === "cpu" || attempts.size === 1));
    for (const attempt of attempts.all()) {
      verdicts.set(attempt, executing.has(attempt) ? (alone ? "culprit" : "suspect") : "bystander");
    }
  }
  return verdicts;
}
