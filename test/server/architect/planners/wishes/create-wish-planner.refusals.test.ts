import { describe, expect, test } from "vitest";
import { createWishPlanner } from "../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { planOf, changesOf } = await openAgents(["example", "shop", "farm"], [createWishPlanner()]);

describe("what is not to be done is not done", () => {
  test("and the order that it is made of is", async () => {
    const done = "The parameter `recovery.max_retries` is `4` by default; it was `2`.";
    expect(await changesOf("farm", "set max_retries to 4")).toBe(done);
    expect(await changesOf("farm", "Oops, we need more: set max_retries to 4")).toBe(done);
    expect(await changesOf("farm", "cancel_build: 5 calls a minute")).toBe(
      "The rate limit of `builds.cancel_build` is `5`.",
    );
    expect(await changesOf("shop", "tone should be friendly")).toBe(
      "The parameter `checkout.tone` is `friendly` by default; it was `formal`.",
    );
  });

  test.each([
    ["an order to stop it", "farm", "stop raising max_retries to 4 every summer"],
    ["an order not to begin it", "farm", "refrain from setting max_retries to 4"],
    ["an order that is taken back", "farm", "Set max_retries to 4. Actually, leave it."],
    ["an order that is taken back in a word", "farm", "Set max_retries to 4. Kidding."],
    ["an order that is taken back behind a dash", "farm", "Set max_retries to 4 - no, don't."],
    ["sarcasm", "farm", "Set max_retries to 4 /s"],
    ["an order for an accident", "farm", "Set max_retries to 4. Oops, ignore me."],
    ["an order that waits for an approval", "farm", "With legal's blessing, set max_retries to 4"],
    ["an order that contradicts itself", "farm", "Set max_retries to 4 and change nothing"],
    ["a fear of it", "farm", "max_retries 4 would be a nightmare"],
    ["a judgement of it", "farm", "a max_retries of 4 is dangerous"],
    ["a reminder", "farm", "Remind me to set max_retries to 4"],
    ["an order to somebody else", "farm", "Ask Tom to raise max_retries to 4"],
    ["an order that waits for somebody", "farm", "Check with accounting and then set max_retries to 4"],
    ["a trial", "farm", "Test: set max_retries to 4"],
    ["a limit for one role", "farm", "developers: cancel_build 5 calls a minute"],
    ["a value for some cases", "farm", "nightly builds should have a max_retries of 4"],
    ["what a value is", "shop", "friendly is a valid tone"],
    ["a value that is no longer one", "shop", "friendly is no longer a valid tone"],
  ])("%s", async (_, agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

test.each([
  [
    "a new role has the name before its bracket",
    "let packer (a new role) place orders",
    "There is a role `packer`, which grants `tool:orders.place_order`.",
  ],
  [
    "what is required has no default that stands in for it",
    "make reason required in cancel_order",
    "`reason` in the input of `orders.cancel_order` is required, and has no default any more.",
  ],
])("%s", async (_, message, changes) => {
  expect(await changesOf("shop", message)).toBe(changes);
});

test("a new field has its own name where its tool has a type behind it", async () => {
  const plan = await planOf("shop", "add an optional field phone to request_return, string, at most 20 characters");
  expect(plan?.kind === "reject" && plan.readings?.[0]?.title).toBe(
    "`orders.request_return` takes `phone`, which its code does not use yet.",
  );
});

describe("nothing is offered", () => {
  test.each([
    ["for thanks", "example", "Thanks, the 240 seconds for exec_run work nicely!"],
    ["for a question with a value in it", "shop", "Would a free_shipping_from of 80 cost us orders? Just curious."],
    ["for a condition", "example", "If traffic keeps growing like this, we may have to lower the default time to 5 s."],
  ])("%s", async (_, agent, message) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "reject" ? (plan.readings ?? []) : plan).toBeOneOf([undefined, []]);
  });

  test("where it is so already", async () => {
    const plan = await planOf("example", "Set the default of match_threshold to 0.4");
    expect(plan).toMatchObject({ kind: "reject", reason: expect.stringMatching(/^This version is like that already/) });
    expect(plan).not.toHaveProperty("readings");
  });
});

describe("what limits a wish to some cases keeps it from being done", () => {
  test.each([
    "For premium customers, set match_threshold to 0.5",
    "In production, set match_threshold to 0.5",
    "Set match_threshold to 0.5 - only on weekends",
    "Set match_threshold to 0.5, that is only for premium customers",
    "Set match_threshold to 0.5, it should only affect readers",
    "Allow get_weather to reach air-quality-api.open-meteo.com, just for the test",
    "Raise the timeout of runner.chat to 90 seconds, except for readers",
    "Drop the metadata field from runner.chat, temporarily",
    "Setz match_threshold auf 0.5, aber nur für Premiumkunden",
  ])("%s", async (message) => {
    expect(await changesOf("example", message)).toBeUndefined();
  });

  test("and what it begins with for all does not", async () => {
    const changed = "The parameter `chat.match_threshold` is `0.5` by default; it was `0.4`.";
    expect(await changesOf("example", "For all callers, set match_threshold to 0.5")).toBe(changed);
  });
});

describe("an arm that everybody gets", () => {
  test.each(["Give everyone the verbose arm of weather", "Promote full in the weather experiment to 50%"])(
    "is asked about where it is named in other words, or with a share: %s",
    async (message) => {
      const plan = await planOf("example", message);
      expect(plan?.kind === "reject" && plan.readings?.[0]?.title).toBe("Tunes: promote weather (full).");
    },
  );
});

test("an example whose input the schema of its tool refuses is refused with the reason of the schema", async () => {
  const plan = await planOf("example", "Add an example to task_list: limit 0 gives BAD_REQUEST");
  expect(plan?.kind === "reject" ? plan.reason : "").toMatch(/`limit` must be at least 1\.$/);
});
