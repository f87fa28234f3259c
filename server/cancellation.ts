/**
 * Signal that no caller waits for an answer any longer: the part of AbortSignal that most code needs. Every request has
 * one and few are cancelled, and a real signal costs as much to make as the check of a tool's input.
 */
export interface Cancellation {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface Cancellable extends Cancellation {
  /** Once. */
  abort(reason?: unknown): void;
}

export function createCancellation(): Cancellable {
  let listeners: (() => void)[] = [];
  const cancellation = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener(_type: "abort", listener: () => void) {
      listeners.push(listener);
    },
    removeEventListener(_type: "abort", listener: () => void) {
      if (listeners.at(-1) === listener) listeners.pop();
      else listeners = listeners.filter((other) => other !== listener);
    },
    abort(reason?: unknown) {
      if (cancellation.aborted) return;
      cancellation.aborted = true;
      cancellation.reason = reason;
      for (const listener of listeners.splice(0)) listener();
    },
  };
  return cancellation;
}

/** For what wants a real one. */
export function toAbortSignal(cancellation: Cancellation | undefined): AbortSignal {
  if (cancellation instanceof AbortSignal) return cancellation;
  const controller = new AbortController();
  const abort = () => controller.abort(cancellation?.reason);
  if (cancellation?.aborted === true) abort();
  else cancellation?.addEventListener("abort", abort);
  return controller.signal;
}
