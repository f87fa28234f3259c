import { setTimeout as sleep } from "node:timers/promises";

/** Looks at things nobody has asked for yet, one at a time and less than half of the time. */
export interface Sweep {
  /** Begins, or begins anew with what is left to do now. */
  start(): void;
  /** Stops after what it is at. */
  close(): Promise<void>;
}

const LEAST_PAUSE_MS = 2;

export function createSweep(options: {
  /** Lists the work left: in the first round the most urgent first, in further rounds those that others depend on. */
  readonly list: (round: number) => readonly string[];
  /** A failure leaves the item to the next start. */
  readonly work: (item: string) => Promise<unknown>;
  /** Called when all is done; then what is left is done as well, as long as it becomes less. */
  readonly onRound: () => void;
}): Sweep {
  const stop = new AbortController();
  let left: readonly string[] = [];
  let next = 0;
  let running: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    let before = Infinity;
    for (let round = 1; left.length > 0 && left.length < before && !stop.signal.aborted; round += 1) {
      for (let item = left[next]; item !== undefined && !stop.signal.aborted; item = left[next]) {
        next += 1;
        const began = performance.now();
        await options.work(item).catch(() => undefined);
        const pause = Math.max(LEAST_PAUSE_MS, performance.now() - began);
        await sleep(pause, undefined, { signal: stop.signal }).catch(() => undefined);
      }
      before = left.length;
      options.onRound();
      [left, next] = [options.list(round), 0];
    }
  }

  return Object.freeze({
    start: () => {
      [left, next] = [options.list(0), 0];
      running ??= sweep().finally(() => {
        running = undefined;
      });
    },
    close: async () => {
      stop.abort();
      await running;
    },
  });
}
