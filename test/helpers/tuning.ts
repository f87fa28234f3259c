import type { Journal } from "../../server/invoke/journal.ts";
import type { Store } from "../../server/store/store.ts";
import { createAssigner } from "../../server/tuner/assigner.ts";
import { createLedgers } from "../../server/tuner/ledgers.ts";

/** What a service has for tuning, as `openSyscalls` and `createInvoke` take it. */
export function createTuning(store: Store, journal: Pick<Journal, "settled">, now: () => number = Date.now) {
  const ledgers = createLedgers({
    store,
    now,
    onError(error) {
      throw error;
    },
  });
  return { syscalls: { ledgers, settled: journal.settled }, assigner: createAssigner({ ledgers, now }) };
}
