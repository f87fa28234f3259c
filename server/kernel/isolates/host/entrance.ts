import type { Isolate, Reference } from "isolated-vm";
import { TIMED_OUT } from "./link-modules.ts";

/** Tries to read the outbox of an entry that threw. */
const MAX_READS = 3;

type Entry =
  | { readonly verb: "left" | "stopped"; readonly events: string }
  /** End of the isolate. */
  | { readonly verb: "gone"; readonly events: "memory" | "crash" };

/** The ways into an isolate with a program. */
export interface Entrance {
  /** Lets `items` in and waits until control is back: after `wall` milliseconds by the clock, if V8 can be interrupted. */
  enter(items: string, wall: number): Promise<Entry>;
  /** Enters on the calling thread, which waits for it. */
  enterDirectly(items: string, wall: number): Entry;
}

/** Arguments and options of a call into the isolate. */
interface Way {
  readonly args: [items: string, read: boolean];
  readonly options: { readonly timeout: number; readonly result: { readonly copy: true } };
}
type Outcome = { readonly outbox: unknown } | { readonly error: unknown };

/**
 * Creates the ways in. An entry also throws, with its outbox unread, when a handler left a rejected promise to itself; entering again with
 * nothing gets at it. A handler can choose the message it throws but not make time pass, so a stop takes both.
 */
export function createEntrance(isolate: Isolate, enter: Reference, dispose: () => void): Entrance {
  let read = true;
  return {
    async enter(items, wall) {
      const tries = enterAndRead(items, wall);
      let step = tries.next();
      while (step.done !== true) {
        const { args, options } = step.value;
        step = await enter.apply(undefined, args, options).then(
          (outbox: unknown) => tries.next({ outbox }),
          (error: unknown) => tries.next({ error }),
        );
      }
      return step.value;
    },
    enterDirectly(items, wall) {
      const tries = enterAndRead(items, wall);
      let step = tries.next();
      while (step.done !== true) step = tries.next(applySync(step.value));
      return step.value;
    },
  };

  function applySync({ args, options }: Way): Outcome {
    try {
      return { outbox: enter.applySync(undefined, args, options) };
    } catch (error) {
      return { error };
    }
  }

  function* enterAndRead(items: string, wall: number): Generator<Way, Entry, Outcome> {
    const options = { timeout: wall, result: { copy: true } } as const;
    const start = performance.now();
    let verb: "left" | "stopped" = "left";
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const outcome: Outcome = yield { args: [reads === 0 ? items : "", read], options };
      read = "outbox" in outcome;
      if ("outbox" in outcome) {
        const events = readOutbox(outcome.outbox);
        if (events !== undefined) return { verb, events };
        break;
      }
      const { error } = outcome;
      if (isolate.isDisposed) return { verb: "gone", events: "memory" };
      if (error instanceof Error && error.message === TIMED_OUT && performance.now() - start >= wall) verb = "stopped";
    }
    dispose();
    return { verb: "gone", events: "crash" };
  }
}

function readOutbox(outbox: unknown): string | undefined {
  if (typeof outbox !== "object" || outbox === null || !("events" in outbox)) return undefined;
  const { events } = outbox;
  // A line break would end the frame that carries the events.
  return typeof events === "string" && !events.includes("\n") ? events : undefined;
}
