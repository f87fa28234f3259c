import { setTimeout as sleep } from "node:timers/promises";

/** Resolves once woken, or after so many milliseconds; rejects when aborted. */
export async function waitFor(ms: number, signal: AbortSignal, watch: (wake: () => void) => () => void): Promise<void> {
  const woken = new AbortController();
  const stop = watch(() => woken.abort());
  try {
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) });
  } catch {
    signal.throwIfAborted();
  } finally {
    stop();
  }
}
