import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf, firstOffered, planOf } = await openAgents(["farm", "parcels"]);

test.each([
  "Raise hold_days in counter.redirect to 42 at most. And have price_postage look up what the competition charges.",
  "Raise hold_days in counter.redirect to 42 at most. price_postage should look up what the competition charges.",
])("a tool of another sentence does not get the value that is said of a field: %s", async (message) => {
  expect(await changesOf("parcels", message)).toBeUndefined();
  expect(await firstOffered("parcels", message)).toMatch(/^The maximum of `hold_days` .* is `42`; it was `28`\./);
});

test("what another sentence says to be the same may get that value, too", async () => {
  const plan = await planOf("farm", "Set the time limit of list_artifacts to 9 seconds. build_logs too.");
  expect(plan?.kind === "reject" ? plan.readings?.map(({ title }) => title) : plan).toContain(
    "The time limit of `builds.build_logs` is `9000`; it was `4000`. The time limit of `builds.list_artifacts` is `9000`; it was `10000`.",
  );
});
