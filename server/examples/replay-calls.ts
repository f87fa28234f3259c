import { forEachConcurrently } from "../versions/registry/for-each-concurrently.ts";
import type { Recorded } from "./recorded-calls.ts";
import type { Replay, Replayed } from "./replay.ts";

/** Calls that are replayed side by side: they enter their isolates together. */
const AT_ONCE = 32;

/**
 * Replays calls of one tenant, and returns the results in their order. A call that a time limit has ended beside others is
 * made once more by itself.
 */
export async function replayCalls(
  replay: Replay,
  calls: readonly Recorded[],
  tenant: string,
): Promise<readonly (readonly [Recorded, Replayed])[]> {
  const results = new Map<Recorded, Replayed>();
  await forEachConcurrently(calls, AT_ONCE, async (call) => void results.set(call, await replay(call, tenant)));
  for (const [call, { isLate }] of results) if (isLate) results.set(call, await replay(call, tenant));
  return calls.flatMap((call) => {
    const replayed = results.get(call);
    return replayed === undefined ? [] : [[call, replayed] as const];
  });
}
