import { findDeclaration } from "../../capabilities/declarations.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../store/store.ts";
import type { Tape, TapeError, TapeHead, TapeStep } from "./tape.ts";

/** Bytes of requests and answers that one tape holds at most, and their number. A tape with more of either holds none of them. */
const MAX_TAPE_BYTES = 256 * 1024;
const MAX_TAPE_STEPS = 1_000;

/** Writes down what the handler of one call asks and is answered. */
export interface TapeRecorder extends TapeHead {
  toTape(): Tape;
}

/**
 * Checks that a request is answered out of the call's own transaction and facts. The clock of a taped call stands still
 * meanwhile, so that versions which read the same things in another order see the same time.
 */
export function isWithinCall(name: string): boolean {
  return /^(?:state|session|principal|schema)\b/.test(name);
}

type Begun = Omit<Tape, "startedAt" | "steps" | "incomplete">;

export function createTapeRecorder(begun: Begun, now: () => number): TapeRecorder {
  let startedAt = now();
  let time = startedAt;
  let steps: TapeStep[] = [];
  let bytes = 0;
  let incomplete: string | undefined;

  function grow(value: Json | undefined): void {
    bytes += value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
    if (bytes > MAX_TAPE_BYTES) incomplete ??= `it would have more than ${MAX_TAPE_BYTES} bytes`;
    if (steps.length > MAX_TAPE_STEPS) incomplete ??= `it would have more than ${MAX_TAPE_STEPS} requests`;
    if (incomplete !== undefined) steps = [];
  }

  /** Keeps the answer at the place of its request: later requests may be answered before. */
  function settle(step: TapeStep, end: Pick<TapeStep, "answer" | "error">): void {
    if (!isWithinCall(step.name)) time = Math.max(time, now());
    const place = steps.indexOf(step);
    if (place < 0) return;
    steps[place] = { ...step, at: time, ...end };
    grow(end.answer);
  }

  return Object.freeze<TapeRecorder>({
    async ask(name, args, carryOut) {
      if (findDeclaration(name)?.isNote === true) return carryOut();
      const step: TapeStep = { name, args };
      if (incomplete === undefined) steps.push(step);
      grow(args);
      try {
        const answer = await carryOut();
        settle(step, answer === undefined ? {} : { answer: name === "fetch" ? withoutCookies(answer) : answer });
        return answer;
      } catch (error) {
        settle(step, { error: toTapeError(error) });
        throw error;
      }
    },
    time: () => time,
    restart() {
      startedAt = now();
      time = startedAt;
      steps = [];
      bytes = 0;
      incomplete = undefined;
    },
    toTape: () => ({ ...begun, startedAt, steps, ...(incomplete === undefined ? {} : { incomplete }) }),
  });
}

/** An answer of a host without its cookies, which are credentials: who reads a tape must not be able to use them. */
function withoutCookies(answer: Json): Json {
  if (!isObject(answer) || !isObject(answer["headers"])) return answer;
  const { "set-cookie": _cookies, ...headers } = answer["headers"] as { readonly [name: string]: Json };
  return { ...(answer as { readonly [name: string]: Json }), headers };
}

function toTapeError(error: unknown): TapeError {
  const { name, message, details, row } =
    error instanceof CairnError ? error : new CairnError("INTERNAL_ERROR", "The request failed.");
  // As it reaches the handler.
  if (!row.exposed) return { name, message: row.meaning };
  return { name, message, ...(details === undefined ? {} : { details: JSON.parse(JSON.stringify(details)) as Json }) };
}
