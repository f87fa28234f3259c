import { CairnError } from "../../errors.ts";

/** Runs a piece of work one at a time, however many ask for it. */
export interface Coalesced<T> {
  /** The result of a run that begins after this call; whoever calls during a run shares the one that follows it. */
  run(): Promise<T>;
  /** Asks for a run soon; many calls in a short time are one. */
  trigger(): void;
  /** Waits for what runs; nothing starts any more. */
  close(): Promise<void>;
}

/** `onError` hears of failed runs that nobody waits for. */
export function coalesce<T>(
  work: () => Promise<T>,
  options: { readonly debounceMs: number; readonly onError: (error: unknown) => void },
): Coalesced<T> {
  let running: Promise<unknown> | undefined;
  let following: Promise<T> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function run(): Promise<T> {
    if (running === undefined && following === undefined) return start();
    following ??= Promise.resolve(running).then(() => {
      following = undefined;
      return start();
    });
    return following;
  }

  function start(): Promise<T> {
    // Whoever asked for a run soon gets this one.
    clearTimeout(timer);
    timer = undefined;
    const started = closed ? Promise.reject(new CairnError("UNAVAILABLE", "Cairn is shutting down.")) : work();
    running = Promise.allSettled([started]).finally(() => {
      running = undefined;
    });
    return started;
  }

  return Object.freeze({
    run,
    trigger: () => {
      if (closed || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        run().catch(options.onError);
      }, options.debounceMs);
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await Promise.allSettled([running, following]);
    },
  });
}
