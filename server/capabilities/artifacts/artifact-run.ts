import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";

/** Largest number of requests of one run. */
const MAX_ASKS = 1_000;

/** Puts a question of the program; resolves with the answer. */
export type Ask = (name: string, args: Json) => Promise<Json | undefined>;

/** State of a run: over, or at a request; in the words of the guest. */
export type Step =
  | { readonly done: true; readonly value?: Json }
  | { readonly done: false; readonly run: number; readonly ask: number; readonly name: string; readonly args: Json };

/** A program that runs, and asks the handler that runs it. */
export interface ArtifactRun {
  readonly number: number;
  /** Settles when the program is over. */
  readonly result: Promise<Json | undefined>;
  /** Resolves with the next thing that it asks or, once it is over, with its result; rejects with its error. */
  next(): Promise<Step>;
  /** Answers a question; `refuse` answers it with an error. */
  answer(ask: number, value: Json | undefined): void;
  refuse(ask: number, error: CairnError): void;
}

/** Begins a run. `begin` starts the program, which asks by the function that it gets, and settles when that is over. */
export function createArtifactRun(number: number, begin: (ask: Ask) => Promise<Json | undefined>): ArtifactRun {
  const unheard: { readonly ask: number; readonly name: string; readonly args: Json }[] = [];
  const unanswered = new Map<number, PromiseWithResolvers<Json | undefined>>();
  let asked = 0;
  let wake: () => void = () => undefined;
  let over = false;

  function ask(name: string, args: Json): Promise<Json | undefined> {
    asked += 1;
    if (asked > MAX_ASKS) {
      return Promise.reject(new CairnError("RATE_LIMITED", `An artifact may ask ${MAX_ASKS} times in one run.`));
    }
    const answer = Promise.withResolvers<Json | undefined>();
    unanswered.set(asked, answer);
    unheard.push({ ask: asked, name, args });
    wake();
    return answer.promise;
  }

  const result = begin(ask);
  const end = () => {
    over = true;
    wake();
  };
  result.then(end, end);

  return {
    number,
    result,
    async next() {
      if (unheard.length === 0 && !over) await new Promise<void>((resolve) => (wake = resolve));
      if (over) {
        const value = await result;
        return value === undefined ? { done: true } : { done: true, value };
      }
      const first = unheard.shift();
      if (first === undefined) throw new CairnError("BAD_REQUEST", "`ctx.artifacts`: a run is gone on with twice.");
      return { done: false, run: number, ...first };
    },
    answer(question, value) {
      unanswered.get(question)?.resolve(value);
      unanswered.delete(question);
    },
    refuse(question, error) {
      unanswered.get(question)?.reject(error);
      unanswered.delete(question);
    },
  };
}
