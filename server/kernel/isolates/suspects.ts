import type { Attempt } from "./attempt.ts";
import type { Isolate } from "./isolate.ts";
import type { Program } from "../../versions/version.ts";
import { ownerOf } from "./offenders.ts";
import type { LossReason, ToolFacts } from "./sandbox.ts";

/** Isolates that are no more, alone or with their process. */
export interface Loss {
  readonly isolates: readonly Isolate[];
  /** Those among which the cause is. */
  readonly guilty: ReadonlySet<Isolate>;
  readonly reason: LossReason;
  /** True when the calls in the guilty ones are known to be the cause; false when they merely were there. */
  readonly certain: boolean;
}

/**
 * A loss without those whom nobody would suspect: where some that may be the cause have behaved for long and others have not,
 * the cause is among the others. A process that dies without a word leaves everybody under suspicion who was in it, and
 * trying them all apart takes as many processes.
 */
export function narrow(loss: Loss, isTrusted: (isolate: Isolate) => boolean): Loss {
  const others = new Set([...loss.guilty].filter((isolate) => !isTrusted(isolate)));
  if (others.size === 0 || others.size === loss.guilty.size) return loss;
  return { ...loss, guilty: others, certain: false };
}

/** A culprit fails, a suspect runs again with nobody else at stake, a bystander just runs again. */
export type Verdict = "culprit" | "suspect" | "bystander";

/**
 * Judges the attempts in a loss. Only a call that was executing can be at fault, even if its caller has left since. A
 * single one is; of several the culprit is unknown, and a waiting call may hold the memory.
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

/** A program that took isolates down, and where it is known, of which tool. */
export interface FoundOffender {
  readonly program: Program;
  readonly tool: ToolFacts | undefined;
}

/**
 * The program that a loss is certainly due to, even where nobody knows which of its calls it was: the culprit's, or the only
 * one that was executing or being loaded when the reason was found.
 */
export function findOffender(loss: Loss, verdicts: ReadonlyMap<Attempt, Verdict>): FoundOffender | undefined {
  const culprit = [...verdicts].find(([, verdict]) => verdict === "culprit")?.[0];
  if (culprit !== undefined) return { program: culprit.run.call.program, tool: culprit.run.call.tool };
  // A machine that stands still is nobody's fault.
  if (loss.reason === "clock" || loss.reason === "silence") return undefined;
  const [first, ...others] = loss.guilty;
  if (first === undefined || others.some(({ program }) => ownerOf(program) !== ownerOf(first.program)))
    return undefined;
  const attempt = first.executing()[0] ?? first.attempts.all()[0];
  return { program: first.program, tool: attempt?.run.call.tool };
}
