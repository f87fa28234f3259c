import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { planOf, changesOf, firstOffered } = await openAgents(["shop", "tickets", "farm"]);

describe("plain wishes are done at once", () => {
  test.each([
    [
      "the end of a tool with its day, its successor and a reason in a sentence of its own",
      "farm",
      "Deprecate builds.build_logs as of 2027-01-01 with sunset 2027-07-01 and builds.build_status as its successor. Reason: Nobody reads it.",
      "`builds.build_logs` is deprecated from 2027-01-01 on, and ends on 2027-07-01: Nobody reads it. `builds.build_status` is its successor.",
    ],
    [
      "why a tool is deprecated, in a sentence of its own",
      "farm",
      "Deprecate builds.build_logs. Reason: It is slow.",
      "`builds.build_logs` is deprecated: It is slow.",
    ],
    [
      "another name for a tool in a plain word",
      "shop",
      "track_order should be called follow from now on",
      "The tool `orders.track_order` is called `orders.follow`.",
    ],
    [
      "a title of a prompt",
      "tickets",
      "The prompt summarise-ticket should have the title 'In short'",
      "The title of the prompt `summarise-ticket` is `In short`.",
    ],
    [
      "a title of a prompt in another way",
      "tickets",
      "retitle the prompt summarise-ticket: 'In short'",
      "The title of the prompt `summarise-ticket` is `In short`.",
    ],
    [
      "what the title of the agent should be",
      "farm",
      "The agent's title should be 'Builds for everybody'",
      "The title of the agent is `Builds for everybody`.",
    ],
    [
      "a title that a tool should have",
      "farm",
      "list_machines should have the title 'Our machines'",
      "The title of `fleet.list_machines` is `Our machines`.",
    ],
    ["a prompt that goes", "tickets", "Remove the prompt summarise-ticket", "The prompt `summarise-ticket` is gone."],
    [
      "a description behind a colon",
      "farm",
      "fleet.list_machines should be described as: Lists the machines of a pool.",
      "The description of `fleet.list_machines` is `Lists the machines of a pool.`.",
    ],
    [
      "another name for a field that a handler takes apart by the name of its type",
      "tickets",
      "Rename include_internal to with_notes in desk.get_ticket",
      "`include_internal` in the input of `desk.get_ticket` is called `with_notes`.",
    ],
    [
      "a value that code does not know yet",
      "shop",
      "cheerful is missing among the tones of checkout",
      "The parameter `checkout.tone` can be `cheerful`. Its code does not know that value yet.",
    ],
    [
      "a wish with a reason that has a number and a limiting word of its own",
      "farm",
      "Raise max_retries to 4, 2 is too few for the old machines",
      "The parameter `recovery.max_retries` is `4` by default; it was `2`.",
    ],
    [
      "a wish with courtesy around it",
      "tickets",
      "Hello all, hope you are well. If it isn't too much trouble, raise escalate_after_hours to 36. Kind regards, Jo",
      "The parameter `triage.escalate_after_hours` is `36` by default; it was `24`.",
    ],
  ])("%s", async (_, agent, message, changes) => {
    expect(await changesOf(agent, message)).toBe(changes);
  });
});

describe("plain wishes are done or offered first", () => {
  test.each([
    [
      "an optional field whose type and bound are given",
      "shop",
      "request_return should take an optional courier as well, a string of at most 25 characters",
      "`orders.request_return` takes `courier`, which its code does not use yet.",
    ],
    [
      "an optional field that a tool should get, and its bound without a word for letters",
      "shop",
      "request_return should get an optional text field courier, 25 characters at most, for the people at the desk",
      "`orders.request_return` takes `courier`, which its code does not use yet.",
    ],
    [
      "a field that is only for the records",
      "shop",
      "request_return needs an optional string field `courier` in its input, 25 characters at most, just for our records",
      "`orders.request_return` takes `courier`, which its code does not use yet.",
    ],
    [
      "a title of a field that has none, and not of its tool",
      "tickets",
      'the date filter of search_tickets has no title, let it be "From"',
      "The title of `since` in the input of `desk.search_tickets` is `From`.",
    ],
    [
      "another parameter with its bounds and its default",
      "tickets",
      "triage needs another parameter, max_hops: a whole number from 1 to 9, 3 by default",
      "There is a parameter `triage.max_hops`, which its code does not use yet.",
    ],
  ])("%s", async (_, agent, message, title) => {
    expect((await changesOf(agent, message)) ?? (await firstOffered(agent, message))).toBe(title);
  });

  test.each([
    ["for some cases only", "farm", "Raise the maximum of max_retries to 7 for nightly builds"],
    ["for a while", "farm", "The maximum of max_retries should be 7 while the mirrors are slow"],
    ["for more than one thing", "tickets", "Remove all fields of search_tickets"],
    ["a new field that is denied", "shop", "request_return should not get an optional text field courier"],
    [
      "a new field in one case only",
      "shop",
      "request_return should get an optional text field courier, but just for the test",
    ],
    [
      "a new field of which not every number is understood",
      "shop",
      "request_return needs a new optional field parcels: a whole number, at least one, ten at the very most, and one if nobody says anything",
    ],
  ])("%s", async (_, agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("a tool that is called once a day gets no other name", async () => {
    expect(await changesOf("shop", "track_order should be called daily")).toBeUndefined();
  });

  test("a sentence is added once to what a description says", async () => {
    const plan = await planOf("tickets", "Append 'Asks nothing.' to the description of the prompt summarise-ticket");
    const [text = ""] = plan?.kind === "change" ? [...plan.files.values()].map(String) : [];
    expect(text).toContain("description: Sums up what happened so far. Asks nothing.\n");
  });
});
