import { describe, expect, test } from "vitest";
import { replay } from "../../converse.ts";
import { readFollowUp } from "../../../../tools/_lib/chat/decide-follow-up.ts";

const weather = (values: object) => ({ "runner.get_weather": values });

const convert = (amount: number, from: string, to: string) => ({ "money.convert_currency": { amount, from, to } });

describe("decideFollowUp", () => {
  test("changes one thing after the other", async () => {
    const said = [
      "What's the weather in Paris?",
      "and tomorrow?",
      "What about London?",
      "in fahrenheit",
      "tokyo?",
      "Berlin instead",
      "tomorrow at 9",
      "again",
    ];
    const when = "2026-07-02T12:00:00Z";
    expect(await replay(said)).toEqual([
      weather({ location: "Paris" }),
      weather({ location: "Paris", when }),
      weather({ location: "London", when }),
      weather({ location: "London", when, units: "imperial" }),
      weather({ location: "tokyo", when, units: "imperial" }),
      weather({ location: "Berlin", when, units: "imperial" }),
      weather({ location: "Berlin", when: "2026-07-02T09:00:00Z", units: "imperial" }),
      weather({ location: "Berlin", when: "2026-07-02T09:00:00Z", units: "imperial" }),
    ]);
  });

  test("works for any tool", async () => {
    expect(await replay(["10 usd to eur", "and gbp?", "make it 20", "in yen instead", "from pounds"])).toEqual([
      convert(10, "USD", "EUR"),
      convert(10, "USD", "GBP"),
      convert(20, "USD", "GBP"),
      convert(20, "USD", "JPY"),
      convert(20, "GBP", "JPY"),
    ]);
    expect(await replay(["search docs for tokens", "and with limit 3", "about keys instead"])).toEqual([
      { "docs.search": { query: "tokens" } },
      { "docs.search": { query: "tokens", limit: 3 } },
      { "docs.search": { query: "keys", limit: 3 } },
    ]);
  });

  test.each([
    ["a question about something else", "and who is Angela Merkel?", "failure"],
    ["a wish for something else", "how about a joke?", "failure"],
    ["words that change nothing", "and so on", "failure"],
    ["another tool", "and roll 3 dice", { "dice.roll": { count: 3 } }],
    ["a whole new question", "What is the weather in Rome?", weather({ location: "Rome" })],
  ])("does not mistake %s for a change", async (_, message, expected) => {
    expect((await replay(["weather in Paris in fahrenheit", message]))[1]).toEqual(expected);
  });

  test("has nothing to change at the beginning", async () => {
    expect(await replay(["and tomorrow?", "again", "in fahrenheit"])).toEqual(["failure", "failure", "question"]);
  });

  test("never repeats or changes a call that changes something", async () => {
    expect(await replay(["add a note: buy milk", "again", "and buy bread"])).toEqual([
      { "notes.add": { text: "buy milk" } },
      "question",
      "failure",
    ]);
  });

  test("takes up the second of two names", async () => {
    expect(await replay(["weather in Paris and London", "and London?"])).toEqual([
      weather({ location: "Paris" }),
      weather({ location: "London" }),
    ]);
  });
});

describe("readFollowUp", () => {
  test.each([
    ["and tomorrow?", true, "tomorrow?"],
    ["What about Paris?", true, "Paris?"],
    ["ok, and how about in Rome", true, "in Rome"],
    ["make it 10", true, "10"],
    ["Berlin instead", true, "Berlin"],
    ["Berlin, too!", true, "Berlin"],
    ["tokyo?", true, "tokyo?"],
    ["android phones", false, "android phones"],
    ["is it?", false, "is it?"],
    ["in fahrenheit", false, "in fahrenheit"],
  ])("reads %j", (message, cued, rest) => {
    expect(readFollowUp(message)).toEqual({ cued, repeat: false, rest });
  });

  test.each(["again", "Once more!", "try again", "please do that again", "same again"])(
    "knows %j for a repetition",
    (message) => {
      expect(readFollowUp(message).repeat).toBe(true);
    },
  );
});
