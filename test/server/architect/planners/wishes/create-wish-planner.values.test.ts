import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { planOf } = await openAgents([
  "example",
  "clinic",
  "farm",
  "freight",
  "library",
  "museum",
  "school",
  "shop",
  "tickets",
]);

/** What is done at once, or what is offered, or nothing. */
async function outcomeOf(agent: string, message: string): Promise<string | readonly string[]> {
  const plan = await planOf(agent, message);
  if (plan?.kind === "change") return plan.changes.join(" ");
  return plan?.kind === "reject" ? (plan.readings ?? []).map(({ title }) => title) : [];
}

describe("values in more words are done at once", () => {
  test.each([
    [
      "museum",
      "swap glass for terracotta in the material filter of search_objects",
      "`collection.search_objects` accepts `terracotta` as `material`. Its code does not know that value yet. `collection.search_objects` no longer accepts `glass` as `material`.",
    ],
    [
      "freight",
      "swap kestrel for redwing in the carrier list of quote_rates",
      "`dispatch.quote_rates` accepts `redwing` as `carrier`. `dispatch.quote_rates` no longer accepts `kestrel` as `carrier`.",
    ],
    [
      "example",
      "true and false are superfluous among the values of validate_artifact_args; off, warn and on do the job. Please remove the two.",
      "The parameter `executor.validate_artifact_args` can no longer be `true`. The parameter `executor.validate_artifact_args` can no longer be `false`.",
    ],
    ["museum", "log_condition: add crazing to damage", "`collection.log_condition` accepts `crazing` as `damage`."],
    [
      "school",
      "We can hire out the library room now, add library to the rooms of book_room",
      "`timetable.book_room` accepts `library` as `room`.",
    ],
    [
      "freight",
      "Let track_parcel speak es and nl",
      "`parcels.track_parcel` accepts `es` as `language`. `parcels.track_parcel` accepts `nl` as `language`.",
    ],
    [
      "farm",
      "Nobody should be able to set lookahead above 24",
      "The maximum of the parameter `scheduler.lookahead` is `24`; it was `32`.",
    ],
    [
      "school",
      "Nobody should be able to set order_deadline_hour below 8",
      "The minimum of the parameter `canteen.order_deadline_hour` is `8`; it was `6`.",
    ],
    [
      "museum",
      "The smallest possible hold_minutes should be 1",
      "The minimum of the parameter `holds.hold_minutes` is `1`; it was `5`.",
    ],
  ])("%s: %s", async (agent, message, change) => {
    expect(await outcomeOf(agent, message)).toBe(change);
  });
});

describe("values in more words are offered first, or done where a second look is certain of them", () => {
  test.each([
    [
      "school",
      "put polish into second_language of enrol_pupil",
      "`pupils.enrol_pupil` accepts `polish` as `second_language`.",
    ],
    [
      "example",
      "artifact_create: no typescript any more as a language, javascript only",
      "`artifact_create` no longer accepts `typescript` as `language`.",
    ],
    [
      "museum",
      "conservators want to tick crazing under damage",
      "`collection.log_condition` accepts `crazing` as `damage`.",
    ],
    [
      "museum",
      "People who miss their slot should be put into the next one by default (latecomers)",
      "The parameter `holds.latecomers` is `next_slot` by default; it was `admit`.",
    ],
    [
      "school",
      "people should be compulsory when somebody books a room",
      "`people` in the input of `timetable.book_room` is required. An example of `timetable.book_room` goes with it.",
    ],
    [
      "tickets",
      "viewers should have ticket:write, and interns ticket:write and kb:translate",
      "The role `viewer` grants `ticket:write`. The role `intern` grants `ticket:write`. The role `intern` grants `kb:translate`.",
    ],
  ])("%s: %s", async (agent, message, first) => {
    expect([await outcomeOf(agent, message)].flat()[0]).toBe(first);
  });

  test("a default of fields that several tools have is offered for each of them", async () => {
    expect(await outcomeOf("museum", "the default language should be de from now on")).toEqual([
      "The default of `language` in the input of `foyer.list_tours` is `de`; it was `en`.",
      "The default of `language` in the input of `friends.renewal_notice` is `de`; it was `en`.",
    ]);
  });
});

describe("values in questions, conditions, reports and refusals, and of one of two that are meant, change nothing at once", () => {
  test.each([
    ["school", "put polish into second_language of enrol_pupil? Why would anybody want that?"],
    ["shop", "If finance agrees, swap voucher for klarna in the payment of place_order."],
    ["tickets", "Marketing said: swap de for es in translate_reply. I told them no."],
    ["farm", "don't swap mac for bsd in the pool of list_machines"],
    ["freight", "the mayor asked whether pieces should be compulsory when somebody asks for a quote"],
    [
      "example",
      'Code that agents bring along must not ask for random numbers. Remove "random" from what an artifact may use, both when one is made and when one is changed.',
    ],
    ["clinic", "Is the smallest possible buffer_minutes 0?"],
    ["museum", "conservators wanted to tick crazing under damage, but we have settled that with a note."],
  ])("%s: %s", async (agent, message) => {
    expect(await outcomeOf(agent, message)).toBeInstanceOf(Array);
  });
});
