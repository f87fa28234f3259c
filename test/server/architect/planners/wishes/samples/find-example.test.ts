import { beforeAll, describe, expect, test } from "vitest";
import { type Agents, openAgents } from "../../../../../helpers/open-agents.ts";

let agents: Agents;
beforeAll(async () => {
  agents = await openAgents(["example", "farm", "marina", "school", "museum"]);
});

describe("[A9] an example that is called by what it shows", () => {
  test.each([
    [
      "farm",
      "The Mac example of start_build should have ref v2.1.0",
      "`input.ref` in the example 2 of `builds.start_build` is `v2.1.0`.",
    ],
    [
      "school",
      "lunch_menu's second example: take max_price 2 rather than 1",
      "`input.max_price` in the example 2 of `office.lunch_menu` is `2`.",
    ],
    [
      "example",
      "In ucb_step's example with a reward of 7, use 2 instead",
      "`input.rewards.0.reward` in the example 4 of `tuner.ucb_step` is `2`.",
    ],
  ])("is shown with its other value before it gets that: %s: %s", async (agent, message, change) => {
    const plan = await agents.planOf(agent, message);
    expect(plan?.kind === "reject" && plan.readings?.map(({ title }) => title)).toContain(change);
  });

  test.each([
    [
      "example",
      'Describe the umbrella example of get_weather as "Is there an umbrella?"',
      "The description of example 5 of `runner.get_weather` is `Is there an umbrella?`.",
    ],
    ["marina", "berths.reserve could do without its S-99 example", "`berths.reserve` has an example less."],
    [
      "example",
      'decide_evaluate lacks an example for two states of one name. Input: {"states": [{"name": "rain"}, {"name": "rain"}], "alternatives": [{"name": "walk", "payoffs": [1, 0]}]}, and it ends with BAD_REQUEST.',
      '`decide_evaluate` has another example: `{"states":[{"name":"rain"},{"name":"rain"}],"alternatives":[{"name":"walk","payoffs":[1,0]}]}` gives the error `BAD_REQUEST`.',
    ],
  ])("is meant: %s: %s", async (agent, message, changes) => {
    expect(await agents.changesOf(agent, message)).toBe(changes);
  });

  test.each([
    ["farm", "The Mac example of start_build must not have ref v2.1.0"],
    ["farm", "In the Mac example of start_build, somebody put ref v2.1.0 instead of v2.0.1"],
    ["farm", "We changed the Mac example of start_build to ref v2.1.0"],
    ["farm", "Leave the Mac example of start_build at ref v2.1.0"],
    ["farm", "I wonder whether the Mac example of start_build should have ref v2.1.0"],
    ["marina", "nobody can do without the example for S-99 in berths.reserve"],
    ["marina", "Second example of sell_fuel: 20 litres please, and then 36 euros are owed"],
    ["example", "In the Paris example of get_weather, use Lyon instead of Paris"],
  ])(
    "is not touched where nobody asks for it, two may be meant, or not all is understood: %s: %s",
    async (agent, message) => {
      expect(await agents.changesOf(agent, message)).toBeUndefined();
    },
  );
});

describe("[A9] a field that an order of deprecation is about", () => {
  test("is deprecated, and not its tool", async () => {
    const message = "card_index on the object search does nothing any more, flag it as deprecated";
    expect(await agents.changesOf("museum", message)).toBe(
      "`card_index` in the input of `collection.search_objects` is deprecated.",
    );
  });

  test("is asked about where the tool may be meant as well", async () => {
    const message = "search_objects shows card_index, flag it as deprecated";
    expect(await agents.changesOf("museum", message)).toBeUndefined();
  });
});

test("an example that is called by what it shows is not the one without a description", async () => {
  const plan = await agents.planOf("example", "drop the example with location 91,0 from get_weather");
  const files = plan?.kind === "change" ? [...plan.files.values()] : [];
  expect(files.every((text) => text?.includes("48.8534,2.3488\n    matches") === true)).toBe(true);
});

test("names of fields are no values of a new example", async () => {
  const message =
    "Please add an example to genesis_ledger.get_balance: principal_id bob gives principal_id bob and balance 0";
  expect(await agents.firstOffered("example", message)).toBe(
    '`genesis_ledger.get_balance` has another example: `{"principal_id":"bob"}` gives `{"principal_id":"bob","balance":0}`.',
  );
});
