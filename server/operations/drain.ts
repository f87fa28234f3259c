import type { Invoke } from "../kernel/call.ts";

/** State of the service's end: no new work begins, and begun work is awaited. */
export interface Drain {
  readonly around: (invoke: Invoke) => Invoke;
  begin(): void;
  isDraining(): boolean;
  /** Calls that have begun and not ended. */
  running(): number;
  /** Waits until all calls have ended; false if they have not within so many milliseconds. */
  settled(withinMs: number): Promise<boolean>;
}

export function createDrain(): Drain {
  let draining = false;
  let running = 0;
  let onIdle: (() => void) | undefined;

  return {
    around: (invoke) => async (call) => {
      running += 1;
      try {
        return await invoke(call);
      } finally {
        running -= 1;
        if (running === 0) onIdle?.();
      }
    },
    begin() {
      draining = true;
    },
    isDraining: () => draining,
    running: () => running,
    async settled(withinMs) {
      if (running === 0) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, withinMs, false);
      onIdle = () => resolve(true);
      const idle = await promise;
      clearTimeout(timer);
      return idle;
    },
  };
}
