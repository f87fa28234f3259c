import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { planOf, changesOf, firstOffered } = await openAgents([
  "shop",
  "tickets",
  "example",
  "theatre",
  "freight",
  "orchard",
]);

async function offered(agent: string, message: string): Promise<readonly string[] | undefined> {
  const plan = await planOf(agent, message);
  return plan?.kind === "reject" ? plan.readings?.map(({ title }) => title) : undefined;
}

describe("names that people write", () => {
  test.each([
    [
      "a reason between a wish and its successor is kept",
      "example",
      "Deprecate node.mutate. It was only ever for debugging; the successor is edge.propagate.",
      "`node.mutate` is deprecated: It was only ever for debugging. `edge.propagate` is its successor.",
    ],
    [
      "the day from which calls fail is the end of a tool",
      "example",
      "worker_list is going away because nobody reads it. Deprecate it as of today, and let calls fail from 2027-12-31 on.",
      "`worker_list` is deprecated, and ends on 2027-12-31: Nobody reads it.",
    ],
    [
      "a new title is no word in place of one that a tool's name has in common with the old title",
      "example",
      "could the title of lineage.replay become 'Recent checksums'? Thank you.",
      "The title of `lineage.replay` is `Recent checksums`.",
    ],
    [
      "languages in words are codes where the others are codes",
      "tickets",
      "add Spanish and Italian to the languages of suggest_articles",
      "`knowledge.suggest_articles` accepts `es` as `language`. `knowledge.suggest_articles` accepts `it` as `language`.",
    ],
    [
      "a language and its code are one value",
      "tickets",
      "Il manque l'espagnol : ajoutez es aux langues de knowledge.suggest_articles.",
      "`knowledge.suggest_articles` accepts `es` as `language`.",
    ],
    [
      "a language that has a code goes by it",
      "tickets",
      "Remove French from language of suggest_articles",
      "`knowledge.suggest_articles` no longer accepts `fr` as `language`.",
    ],
    [
      "arguments that a tool does not know are refused or taken",
      "example",
      "Let task_create accept unknown arguments",
      "The answer of `task_create` to whether it takes unknown fields is `true`; it was `false`.",
    ],
    [
      "additionalProperties is a key like others",
      "example",
      "node.query: additionalProperties false",
      "The answer of `node.query` to whether it takes unknown fields is `false`.",
    ],
  ])("%s", async (_, agent, message, changes) => {
    expect(await changesOf(agent, message)).toBe(changes);
  });

  test.each([
    [
      "half of a name that may be all of it",
      "theatre",
      "Ines Falk instead of Hedda Brandt as the buyer in the first example of book_seats",
    ],
    [
      "the word for examples",
      "example",
      "datastore_decision_findById: use the id decision_999 in the example, not decision_123.",
    ],
    ["a word as a language that has no code", "tickets", "suggest_articles should know swahili"],
    ["a limit that is a field with a default and a maximum", "example", "Change the limit of task_list to 75."],
    ["a timeout that the tool takes and has", "example", "exec_run needs a timeout of two minutes"],
    ["a field that is called fields", "example", "edge.bind shouldn't accept input fields it doesn't know"],
  ])("nothing is made of %s unasked", async (_, agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("a limit above the maximum can only be a new maximum", async () => {
    expect(await changesOf("example", "Change the limit of task_list to 300.")).toBe(
      "The maximum of `limit` in the input of `task_list` is `300`; it was `200`.",
    );
  });
});

describe("what is thought of, found or done is only offered", () => {
  test.each([
    ["example", "We could raise the timeout of runner.chat to 20 seconds"],
    ["example", "units of get_weather: metric and imperial are fine"],
    ["example", "We don't promote the winner of the weather experiment by hand"],
    ["shop", "We might raise the cost of place_order to 6"],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
    expect(await offered(agent, message)).not.toEqual([]);
  });

  test("an order beside it is done", async () => {
    expect(await changesOf("example", "The margin is fine as it is. Please set match_threshold to 0.5")).toBe(
      "The parameter `chat.match_threshold` is `0.5` by default; it was `0.4`.",
    );
  });
});

describe("nothing is done by halves", () => {
  test.each([
    ["shop", "raise the maximum of limit in list_reviews to 150, and draw a map"],
    ["shop", "Set the cost of place_order to 6. Draw a map of the shop."],
    ["shop", "set the cost of place_order to 6 and send me an email when it is done"],
    ["freight", "labels: steady moves to 1.2.0 and archive can go"],
    ["orchard", "start_batch: kilos up to 4000, and the description should be 'Presses apples.'"],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("a title beside the bound of a field is that of the field where it says so", async () => {
    expect(await changesOf("orchard", "kilos of start_batch: at most 4000, and its title should be 'Weight'")).toBe(
      "The maximum of `kilos` in the input of `press.start_batch` is `4000`; it was `3000`. The title of `kilos` in the input of `press.start_batch` is `Weight`.",
    );
  });
});

describe("what only code can do is said to take code, and nothing is offered", () => {
  test.each([
    ["example", "fs_list: list subfolders recursively"],
    ["example", "When a task gets blocked, send its requester an email"],
    ["example", "get_weather should tell the UV index as well"],
    ["shop", "get_product should also return the average number of stars"],
    ["tickets", "get_ticket should also tell how long our first answer took"],
  ])("%s: %s", async (agent, message) => {
    const plan = await planOf(agent, message);
    expect(plan).toMatchObject({ kind: "reject", reason: expect.stringContaining("takes code") as string });
    expect(await offered(agent, message)).toBeUndefined();
  });

  test("what a manifest says is done all the same", async () => {
    expect(await changesOf("shop", "list_reviews should return up to 150 reviews")).toBeDefined();
  });
});

test("an example is offered with every value that is said beside the name of an input, one of a list without a type as well", async () => {
  expect(
    await firstOffered(
      "example",
      'Add an example to task_create with title "Call back", objective "Call the customer back" and priority low; it gives status pending',
    ),
  ).toBe(
    '`task_create` has another example: `{"title":"Call back","objective":"Call the customer back","priority":"low"}` gives `{"required":["status"],"properties":{"status":{"const":"pending"}}}`.',
  );
});

test("first and last names are one value of an example", async () => {
  const message = "In the first example of book_seats call the buyer Ines Falk instead of Hedda Brandt";
  expect(await firstOffered("theatre", message)).toBe(
    "`input.buyer.name` in the example 1 of `boxoffice.book_seats` is `Ines Falk`.",
  );
});
