import { type Cancellation, toAbortSignal } from "../../cancellation.ts";
import { CairnError } from "../../errors.ts";
import type { Question } from "../call.ts";

/** Questions that one run may end with. */
const QUESTION_LIMIT = 16;

/** One run of a handler that may ask its caller something. */
export interface Asking {
  /** Aborts when the caller gives up, and when the run has to end because it has asked. */
  readonly signal: AbortSignal;
  ask(question: Question): Promise<never>;
  /** Questions of the run, if they are why it ended. @throws CONFLICT where it did meanwhile what cannot be undone. */
  questions(): readonly Question[];
  /** Forgets the questions, before the run begins again elsewhere. */
  reset(): void;
}

/**
 * Ends a run once it has asked: all that it asks in the same turn is asked together. A run that did what cannot be undone
 * (`isFinal`) must not ask any more, because with the answer it would do that again.
 */
export function createAsking(callerSignal: Cancellation | undefined, isFinal: () => boolean): Asking {
  const suspension = new AbortController();
  const asked = new Map<string, Question>();
  const refuseLate = (key: string | undefined) => {
    const done = "after something that cannot be undone; ask first, then act";
    if (key !== undefined && isFinal()) throw new CairnError("CONFLICT", `\`${key}\` is asked ${done}.`);
  };
  return {
    signal:
      callerSignal === undefined
        ? suspension.signal
        : AbortSignal.any([toAbortSignal(callerSignal), suspension.signal]),
    ask(question) {
      refuseLate(question.key);
      if (asked.has(question.key) || asked.size >= QUESTION_LIMIT) {
        const reason = asked.has(question.key)
          ? "is asked twice at once"
          : `is more than ${QUESTION_LIMIT} questions at once`;
        throw new CairnError("BAD_REQUEST", `\`${question.key}\` ${reason}.`);
      }
      asked.set(question.key, question);
      if (asked.size === 1) setImmediate(() => suspension.abort());
      return new Promise(() => {});
    },
    questions() {
      if (!suspension.signal.aborted || callerSignal?.aborted === true) return [];
      refuseLate(asked.keys().next().value);
      return [...asked.values()];
    },
    reset: () => asked.clear(),
  };
}
