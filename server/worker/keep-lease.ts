import { CairnError } from "../errors.ts";
import type { Sleep } from "./sleep.ts";

export interface LeaseOptions {
  readonly beat: (signal: AbortSignal) => Promise<unknown>;
  readonly intervalMs: number;
  readonly leaseMs: number;
  /** Since when the lease runs, by `clock`, at the earliest. */
  readonly claimedAt: number;
  /** Milliseconds that nobody can set. */
  readonly clock: () => number;
  readonly sleep: Sleep;
  /** Says that the lease is needed no more. */
  readonly signal: AbortSignal;
  /** Told of a heartbeat that did not get through; there may be time for another. */
  readonly onTrouble: (error: unknown) => void;
}

/** Sends heartbeats until `signal` ends that, or the lease is lost: then it resolves with the reason. */
export async function keepLease(options: LeaseOptions): Promise<string | undefined> {
  const { beat, intervalMs, leaseMs, clock, sleep, signal, onTrouble } = options;
  let renewedAt = options.claimedAt;
  let sentAt = renewedAt;
  for (;;) {
    await sleep(Math.max(0, sentAt + intervalMs - clock()), signal);
    if (signal.aborted) return undefined;
    sentAt = clock();
    const left = renewedAt + leaseMs - sentAt;
    const done = new AbortController();
    const late = new AbortController();
    // Whoever was suspended may have lost the lease long ago: the service knows, and is asked once more.
    const patience = left > 0 ? left : intervalMs;
    void sleep(patience, AbortSignal.any([done.signal, signal])).then(() => late.abort());
    try {
      await beat(AbortSignal.any([late.signal, signal]));
      renewedAt = sentAt;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isRefusal(error)) return error.message;
      if (clock() >= renewedAt + leaseMs) {
        return `No heartbeat got through for ${leaseMs / 1000} seconds, so the lease has run out.`;
      }
      onTrouble(error);
    } finally {
      done.abort();
    }
  }
}

/** Checks that the service refused, as opposed to being silent or busy. */
export function isRefusal(error: unknown): error is CairnError {
  if (!(error instanceof CairnError) || error.name === "CANCELLED" || error.name === "RATE_LIMITED") return false;
  return error.row.status >= 400 && error.row.status < 500;
}
