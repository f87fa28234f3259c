import { callKey } from "../keys.ts";
import type { Store } from "../store.ts";
import { type CallName, type CallsOf, findInSegments } from "./find-calls.ts";
import { isTimed, segmentsOf } from "./segment.ts";

/**
 * Gives a hint when the record of a call may have come or gone, and none when others come that are written beside it. Returns "stop".
 * Who takes a record away writes its own key (`prepareRemoval`), so segments are watched only until it is in one.
 */
export function watchCall(
  store: Pick<Store, "scan" | "watch">,
  call: CallsOf & CallName,
  notify: () => void,
): () => void {
  const { tenant, commit, id } = call;
  const stops = [store.watch(callKey(tenant, commit, id), notify)];
  let [isOver, isLooking, hints] = [!isTimed(id), false, 0];

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (let seen = -1; seen < hints && !isOver;) {
      seen = hints;
      // A look that fails is repeated at the next hint.
      const found = await findInSegments(store, call).catch(() => undefined);
      if (found === undefined || isOver) continue;
      isOver = true;
      if (hints > 0) notify();
    }
    isLooking = false;
  }

  if (!isOver) {
    const stop = store.watch(segmentsOf(tenant, commit), () => {
      hints += 1;
      if (isOver) stop();
      else void look();
    });
    stops.push(stop);
    void look();
  }
  return () => {
    isOver = true;
    for (const stop of stops) stop();
  };
}
