import { describe, expect, test } from "vitest";
import { listChoices, ownText, toShares } from "../../../../../../server/architect/planners/wishes/choices.ts";
import { readClause } from "../../../../../../server/architect/planners/wishes/clause.ts";
import { hear } from "../../../../../../server/architect/planners/wishes/heard.ts";
import { findObjections } from "../../../../../../server/architect/planners/wishes/objections.ts";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { readPlain } from "../../../../../../server/architect/planners/wishes/plain/read-plain.ts";
import { DOUBTED, toSureness } from "../../../../../../server/architect/planners/wishes/sureness/sureness.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { groundOf, changesOf, firstOffered } = await openAgents([
  "example",
  "garden",
  "gym",
  "kitchen",
  "school",
  "tickets",
  "shop",
  "library",
  "clinic",
  "parcels",
]);
const places = listPlaces(groundOf("example").version);

function surenessOf(message: string): number | undefined {
  const heard = hear(readPlain(message, places), places);
  const read = { text: message, heard, clause: readClause(ownText(heard), places), places };
  const choices = listChoices(read);
  const [choice] = choices;
  const [share = 0] = toShares(choices.map(({ score }) => score));
  if (choice === undefined) return undefined;
  const objections = findObjections({ choice, share, mayBeTakenBack: false }, read);
  return objections === undefined ? undefined : toSureness(message, choices, places)(choice, objections);
}

describe("a second look at the likeliest reading of a message", () => {
  test("is certain of a plain wish", () => {
    expect(surenessOf("Please raise the time limit of runner.chat to 75 seconds.")).toBeGreaterThan(DOUBTED);
  });

  test.each([
    "Yesterday I set match_threshold to 0.9 locally and chat stopped working.",
    "Remove the stop rule and whatever hangs on it from weather, more or less",
  ])("doubts what is told or vague: %s", (message) => {
    expect(surenessOf(message) ?? 0).toBeLessThan(DOUBTED);
  });
});

describe("what is doubted is offered and not done", () => {
  test.each([
    ["garden", "look_up_species: an example with Drosera capensis please, the recording is there"],
    ["library", "loyal it is. End the next-reads experiment with that one."],
    ["example", "Show in an example of get_weather that 'yesterday' in Rome is a BAD_REQUEST"],
    ["example", "Call the role reader viewer instead, and give it node.query as well"],
    ["gym", "live is still on 2.3.0, time to move it to 2.4.0"],
    ["school", "Turkish (tr) as a language for letters please, many of our families speak it"],
    ["shop", "Have quote_shipping offer it, please."],
    ["kitchen", "Please have scale_recipe round to whole grams unless told otherwise"],
    ["garden", "Try an arm leafy in walk_order, with shade_bonus 0.5"],
    ["example", "approver: add worker_list, remove run_report"],
    ["example", "Add a role banker that may only read balances and read the ledger"],
    ["example", "Add a role auditor that may only read artifacts and run_events"],
    ["tickets", "translate_reply coûtait 3 unités avant le contrat avec Lingua"],
    ["example", "We don't need to delete task_answer any more"],
    ["example", 'The decision tool needs a better title: "Decision report".'],
    ["example", "Set match_threshold to 0.5 when the customers are from France"],
    ["clinic", "The accountant role should go, along with its architect:chat."],
    ["parcels", "plan_tour has to put the stops in the order of the shortest way."],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("a role is not called by what it is for", async () => {
    const message =
      "We need a role support for first level: it sees task_status, task_list and run_events, nothing more.";
    expect(await firstOffered("example", message)).not.toContain("`first`");
  });
});

test.each([
  [
    "The search over the chat parameters should get 3000 evaluations",
    "The evaluations of the experiment `chat` are `3000`; they were `2000`.",
  ],
  [
    "25 results instead of 10 would be a better default for genesis_store.search",
    "The default of `limit` in the input of `genesis_store.search` is `25`; it was `10`.",
  ],
])("one change that a second look is certain of is done, whatever orders it: %s", async (message, change) => {
  expect(await changesOf("example", message)).toBe(change);
});

test("a right is the one whose words are said, whatever tool is called by one of them", async () => {
  expect(await changesOf("kitchen", "Let storekeepers read the menus")).toBe(
    "The role `storekeeper` grants `menu-read`.",
  );
});
