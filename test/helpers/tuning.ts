import { createIdentifiers } from "../../server/identifiers.ts";
import type { Journal } from "../../server/kernel/journal.ts";
import { openArtifactSandbox } from "../../server/kernel/isolates/open-artifact-sandbox.ts";
import type { Store } from "../../server/store/store.ts";
import { createTuning as create } from "../../server/capabilities/tuner/create-tuning.ts";

/** What a service has for tuning, for artifacts and for work, as `openSyscalls` and `createInvoke` take it. */
export function createTuning(store: Store, journal: Pick<Journal, "settled">, now: () => number = Date.now) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const { ledgers, assigner } = create({ store, now, onError });
  const work = { store, createId: createIdentifiers(now), storeTime: now, onRunEnded: () => undefined };
  // Its process starts with the first artifact; whoever runs any closes a sandbox of their own.
  const artifacts = openArtifactSandbox({ now });
  return { syscalls: { artifacts, ledgers, settled: journal.settled, ...work }, assigner, errors };
}
