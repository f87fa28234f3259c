import type { Signal } from "../../../host-api.ts";
import { createAborted } from "./guest-errors.ts";

/** `ctx.signal`. */
export function createSignal(outlet: { isAborted(): boolean; onAbort(listener: () => void): void }): Signal {
  return {
    get aborted() {
      return outlet.isAborted();
    },
    onAbort(listener) {
      if (typeof listener !== "function") throw new TypeError("`listener` of `ctx.signal.onAbort` must be a function.");
      outlet.onAbort(listener);
    },
    throwIfAborted() {
      if (outlet.isAborted()) throw createAborted();
    },
  };
}
