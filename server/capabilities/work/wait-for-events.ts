import { setTimeout } from "node:timers/promises";

/** Milliseconds between two looks: events come from other processes, too, of which nothing here is told. */
const LOOK_MS = 200;

/** Reads until there is something to read, or it is `until`, or nobody waits any more. */
export async function waitForEvents<Event>(
  read: () => Promise<readonly Event[]>,
  { until, now, signal }: { readonly until: number; readonly now: () => number; readonly signal: AbortSignal },
): Promise<readonly Event[]> {
  for (;;) {
    const events = await read();
    const left = until - now();
    if (events.length > 0 || left <= 0 || signal.aborted) return events;
    await setTimeout(Math.min(LOOK_MS, left), undefined, { signal }).catch(() => undefined);
  }
}
