import { createIdentifiers } from "../../server/identifiers.ts";
import type { Journal } from "../../server/invoke/journal.ts";
import type { Store } from "../../server/store/store.ts";
import { createTuning as create } from "../../server/tuner/create-tuning.ts";

/** What a service has for tuning and for work, as `openSyscalls` and `createInvoke` take it. */
export function createTuning(store: Store, journal: Pick<Journal, "settled">, now: () => number = Date.now) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const { ledgers, assigner } = create({ store, now, onError });
  const work = { store, createId: createIdentifiers(now), storeTime: now, onRunEnded: () => undefined };
  return { syscalls: { ledgers, settled: journal.settled, ...work }, assigner, errors };
}
