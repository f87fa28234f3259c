import type { Nudge } from "../forge/nudges.ts";
import { waitFor } from "./pipeline/wait-for.ts";

/** Waiter for news from the forge. */
export interface Lookout {
  /**
   * Resolves when the forge may have moved, or after a while. What was heard of since the last time counts, so that nothing
   * that comes between a look and the wait behind it is missed.
   */
  pause(): Promise<void>;
  close(): void;
}

export interface ForgeWatch {
  nudge(nudge: Nudge): void;
  /** Hears of what `matters` alone: in a busy repository something moves all the time. */
  watch(matters: (nudge: Nudge) => boolean): Lookout;
}

export function createForgeWatch({
  pollMs,
  signal,
}: {
  readonly pollMs: number;
  readonly signal: AbortSignal;
}): ForgeWatch {
  const listeners = new Set<(nudge: Nudge) => void>();
  return Object.freeze<ForgeWatch>({
    nudge(nudge) {
      for (const listener of listeners) listener(nudge);
    },
    watch(matters) {
      let hasMoved = false;
      let wake: (() => void) | undefined;
      const listener = (nudge: Nudge) => {
        if (!matters(nudge)) return;
        hasMoved = true;
        wake?.();
      };
      listeners.add(listener);
      return {
        async pause() {
          if (!hasMoved) {
            await waitFor(pollMs, signal, (woken) => {
              wake = woken;
              return () => (wake = undefined);
            });
          }
          signal.throwIfAborted();
          hasMoved = false;
        },
        close: () => void listeners.delete(listener),
      };
    },
  });
}
