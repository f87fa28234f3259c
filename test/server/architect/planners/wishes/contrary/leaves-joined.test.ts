import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf, firstOffered } = await openAgents([
  "theatre",
  "marina",
  "orchard",
  "observatory",
  "shop",
  "school",
  "brewery",
  "railway",
  "example",
]);

describe("nothing is done of a message that shares what it says among several", () => {
  test.each([
    ["brewery", "Mailcask has moved, notify_club has to post to in.mailcask.example from now on"],
    ["theatre", "wheelchair and gift_box default to true."],
    ["theatre", "flown and night_shift: default true, please."],
    ["theatre", "step_free is true by default and so is wheelchair."],
    ["theatre", "Count in find_room and in find_material: 15 by default."],
    ["marina", "multihull and after_dark default to true"],
    ["marina", "Both discounts should default to 5."],
    ["marina", "book_lift: direction default in, gear default slipway"],
    ["orchard", "days and hives of order_hives: at most 30"],
    ["orchard", "Max 15 for hours in plan_shift and pickers."],
    ["observatory", "Release tool: offer_next off, refund on by default."],
    ["shop", "gift_note can be 300 characters, and comment of request_return 800."],
    ["school", "note can have 500 characters, and wishes of order_lunch 200."],
    ["school", "The familiar arm has fairness 0.5, expert should have 0.4."],
    ["school", "api.ferienkalender.example moved to api.holidays.example."],
    ["school", "spare has weekly_cap 6. The expert arm should have 5."],
    ["school", "The sober arm should have manner plain and send_hour 15."],
    ["school", "The cover experiment's share is 25 %. The letters one should be 30 %."],
    ["school", "guardrail of cover: error rate 3 %, drop stays 0.15"],
    ["shop", "Parcelway moved its API from api.parcelway.example to api2.parcelway.example."],
    ["shop", "Take api.parcelway.example off the hosts, and out of quote_shipping too."],
    ["school", "Rename spare to free in cover and set its weekly_cap to 8."],
    ["school", "Rename fax to fax_number in report_absence and deprecate it."],
    ["shop", 'Make reason required in cancel_order and describe it as "Why it is cancelled."'],
    ["school", 'Make purpose required in book_room and give it the title "What for".'],
    ["shop", "Add klarna and apple_pay to the payment methods."],
    ["observatory", "dusk has reserve_slots 0. The bargain arm should have 2."],
    ["observatory", "Point fallback at 3.1.0 and call it safe."],
    ["observatory", "Rename guide to host and take kit.fault from it."],
    ["shop", "Give guest and marketing tool:orders.track_order."],
    ["school", "Let the parent and the caretaker use letters:send."],
    ["school", "Deprecate overhead_slides; we take it out in summer 2027."],
    ["observatory", "Let book_hours take 8 companions and 12 targets."],
    ["orchard", "Swap the defaults of pasteurise and sparkling in bottling."],
    ["example", "node.mutate was only ever meant for debugging. Remove the tool."],
    ["example", "git_diff should be declared free of side effects"],
    ["example", "git_status only reads. It should be declared as free of side effects."],
    ["example", "weather should not stop after 60 samples"],
    [
      "railway",
      "The instructions of the depot still say drivers rest eleven hours between duties. It's twelve now, please correct that.",
    ],
    ["railway", "In log_delay the cause crew should be called staff"],
    ["observatory", "lead_hours of the reminders may go up to a full week, that is 168"],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

describe("nothing is done where a part of a sentence is left", () => {
  test.each([
    ["what must be given", "orchard", "text may have 500 characters and must always be given."],
    ["what has to be chosen", "theatre", "genre has to be chosen, and page_size is 15 by default."],
    [
      "what is redacted",
      "theatre",
      "The phone of the buyer may have 25 characters and should be redacted like the email.",
    ],
    ["a value among others", "theatre", "Allow up to 8 interval drinks, and beer among them."],
    ["a value that is out", "marina", "unit: beaufort by default, and knots out."],
    ["a day in words", "theatre", "Deprecate issue_voucher from 1 March 2027 in favour of book_seats."],
    ["the value that another takes the place of", "marina", 'Change "breakdown" to "engine_trouble" in the causes.'],
    [
      "one of two replacements",
      "marina",
      'Antifouling: "six hours" must be "eight hours" and "Two coats" must be "Three coats".',
    ],
    [
      "what comes of an example then",
      "observatory",
      "In the first example of reserve_seats set seats to 6 instead of 4. The total is 45 then.",
    ],
    [
      "a number that one key has already",
      "observatory",
      "lead_hours of the reminders may go up to a full week, that is 168",
    ],
    ["what is too much for a default", "theatre", "gilded is too expensive for us, take raw as default finish."],
  ])("%s", async (_, agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

test("what somebody asks for instead is no default, and each bound goes to its own field", async () => {
  const agents = await openAgents(["farm", "tickets"]);
  expect(
    await agents.changesOf("farm", "Builds should be release builds unless somebody asks for debug."),
  ).toBeUndefined();
  const message = "Make the subject at most 200 characters, and let search return 40 tickets by default.";
  expect(await agents.changesOf("tickets", message)).toBeUndefined();
});

describe("labels", () => {
  test.each([
    [
      "Label touring to the current version, and drop preview.",
      "The label `touring` stands for 3.2.0; it stood for 3.0.0. The label `preview` stands for no version any more.",
    ],
    [
      "Label the current version mainstage, and get rid of touring.",
      "The label `mainstage` stands for 3.2.0; it stood for 3.1.0. The label `touring` stands for no version any more.",
    ],
  ])("that move are not taken away, and none is taken for a field: %s", async (message, changes) => {
    expect(await changesOf("theatre", message)).toBe(changes);
  });
});

test("a title goes on with the field that the sentence is about", async () => {
  expect(await firstOffered("marina", 'warn_from default 25, min 15, and title "Warn from"')).toBe(
    "The default of `warn_from` in the input of `watch.wind_outlook` is `25`; it was `28`. The minimum of `warn_from` in the input of `watch.wind_outlook` is `15`; it was `10`. The title of `warn_from` in the input of `watch.wind_outlook` is `Warn from`.",
  );
});

test("what is said of two fields by name is done of both", async () => {
  expect(await changesOf("marina", "Set the maximum of litres to 400 and the maximum of weight_t to 30")).toBe(
    "The maximum of `litres` in the input of `berths.sell_fuel` is `400`; it was `1500`. The maximum of `weight_t` in the input of `yard.book_lift` is `30`; it was `40`.",
  );
});

test("a field within another one is that which has both names", async () => {
  expect(
    await changesOf(
      "observatory",
      "The postcode of the contact in reserve_seats has no description. Say: For our map of where guests come from.",
    ),
  ).toBe(
    "The description of `contact.postcode` in the input of `nights.reserve_seats` is `For our map of where guests come from.`.",
  );
});

test("it is what the part before is about", async () => {
  expect(await changesOf("observatory", 'The title of ticket should be "Tickets", and it should accept sms.')).toBe(
    "The title of `ticket` in the input of `nights.reserve_seats` is `Tickets`. `nights.reserve_seats` accepts `sms` as `ticket`.",
  );
});

test.each([
  [
    "example",
    "the question of a decision may be 4000 characters long, 1000 is not enough for us",
    "The maximum length of `question` in the input of `decide_evaluate` is `4000`; it was `1000`.",
  ],
  [
    "farm",
    "Draining a machine twice does no harm, so drain_machine can be declared idempotent",
    "The idempotent of `fleet.drain_machine` is `true`; it was `false`.",
  ],
  [
    "library",
    "Add an arm gentle to the notices experiment, with friendly wording and leadDays 4",
    "The experiment `notices` has an arm `gentle`.",
  ],
])("what has no number of its own is not left: %s: %s", async (agent, message, changes) => {
  const agents = await openAgents([agent]);
  expect(await agents.changesOf(agent, message)).toBe(changes);
});
