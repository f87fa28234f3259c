import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["airfield", "example"]);

describe("nothing is done of a message that", () => {
  test.each([
    ["speaks of what was named before", "airfield", "give it 15 seconds"],
    ["speaks of what was named before", "example", "Set that to false."],
    ["speaks of what was named before", "example", "make it required"],
    ["only names an experiment", "example", "In the weather experiment"],
    ["says that a value is too small", "airfield", "Twelve hours is too short notice for most of us."],
  ])("%s (%s: %s)", async (_, agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

test("what such a word stands for may be named in the same message", async () => {
  expect(await changesOf("airfield", "Make it false by default: offer_next of cancel_slot")).toBe(
    "The default of `offer_next` in the input of `tower.cancel_slot` is `false`; it was `true`.",
  );
});
