import { expect, test } from "vitest";
import { createProviders } from "../../../server/resources/providers.ts";
import { PROVIDERS } from "../../../server/versions/manifests/kinds/providers.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTuning } from "../../helpers/tuning.ts";

test("there is a provider behind every name that a manifest may use, and no other", async () => {
  const store = await openTestStore();
  const journal = { settled: async () => {} };
  const providers = createProviders({
    store,
    journal,
    ledgers: createTuning(store, journal).syscalls.ledgers,
    renderer: { render: async () => "" },
    openParent: async () => undefined,
  });
  expect(Object.keys(providers).sort()).toEqual([...PROVIDERS].sort());
});
