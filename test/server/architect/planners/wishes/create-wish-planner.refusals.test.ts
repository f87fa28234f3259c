import { beforeAll, describe, expect, test } from "vitest";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import { createWishPlanner } from "../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { createGround, readAgent } from "../../../../helpers/plan-ground.ts";

const grounds = new Map<string, Ground>();

beforeAll(async () => {
  for (const agent of ["shop", "farm"]) grounds.set(agent, await createGround(await readAgent(agent)));
});

async function changesOf(agent: string, message: string): Promise<string | undefined> {
  const ground = grounds.get(agent);
  if (ground === undefined) throw new Error(`${agent} is not loaded`);
  const plan = await createWishPlanner().plan({ message, attachments: [] }, ground);
  return plan?.kind === "change" ? plan.changes.join(" ") : undefined;
}

describe("what is not to be done is not done", () => {
  test("and the order that it is made of is", async () => {
    const done = "The parameter `recovery.max_retries` is `4` by default; it was `2`.";
    expect(await changesOf("farm", "set max_retries to 4")).toBe(done);
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
    "a new field has its own name where its tool has a type behind it",
    "add an optional field phone to request_return, string, at most 20 characters",
    "`orders.request_return` takes `phone`, which its code does not use yet.",
  ],
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
