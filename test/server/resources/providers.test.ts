import { expect, test } from "vitest";
import { createProviders } from "../../../server/resources/providers.ts";
import { PROVIDERS } from "../../../server/versions/manifests/kinds/providers.ts";
import { openTestStore } from "../../helpers/store.ts";

test("there is a provider behind every name that a manifest may use, and no other", async () => {
  const providers = createProviders(await openTestStore(), { settled: async () => {} }, async () => undefined);
  expect(Object.keys(providers).sort()).toEqual([...PROVIDERS].sort());
});
