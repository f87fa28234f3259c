import { expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf, firstOffered } = await openAgents(["example", "library"]);
const WARM = "The parameter `greeting.greeting` is `warm` by default; it was `plain`.";

test.each(["Set greeting to super-warm", "Greeting: extra-warm", "greeting -> super-warm"])(
  "a word that is a part of another one is not done by itself: %s",
  async (message) => {
    expect(await changesOf("example", message)).toBeUndefined();
    expect(await firstOffered("example", message)).toBe(WARM);
    expect(await changesOf("example", message.replace(/\w+-(?=warm)/, ""))).toBe(WARM);
  },
);

test("a new value keeps all of its name", async () => {
  expect(await firstOffered("example", "Allow python-test as a language of artifact_create")).toBe(
    "`artifact_create` accepts `python-test` as `language`. Its code does not know that value yet.",
  );
});

test.each([
  ["example", "follow-up words: 7", "The parameter `chat_model.follow_up_words` is `7` by default; it was `6`."],
  [
    "library",
    "voucher should no longer be accepted as a method in settle-fine",
    "`loans.settle-fine` no longer accepts `voucher` as `method`.",
  ],
])("names with hyphens are names of the version: %s: %s", async (agent, message, change) => {
  expect(await changesOf(agent, message)).toContain(change);
});
