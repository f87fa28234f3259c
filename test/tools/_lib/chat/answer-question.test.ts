import { describe, expect, test } from "vitest";
import { converse, replay } from "../../converse.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";

describe("answerQuestion", () => {
  test.each([
    [["weather", "Lisbon"], { "runner.get_weather": { location: "Lisbon" } }],
    [["weather", "in Paris, please"], { "runner.get_weather": { location: "Paris" } }],
    [["weather", "It's Rome, tomorrow"], { "runner.get_weather": { location: "Rome", when: "2026-07-02T12:00:00Z" } }],
    [["weather", "48.85,2.35"], { "runner.get_weather": { location: "48.85,2.35" } }],
    [["roll dice", "three"], { "dice.roll": { count: 3 } }],
    [["roll dice", "500", "5"], { "dice.roll": { count: 5 } }],
    [["convert 5 to euros", "dollars"], { "money.convert_currency": { amount: 5, from: "USD", to: "EUR" } }],
    [
      ["route to Munich", "from Berlin, by train"],
      { "maps.find_route": { origin: "Berlin", destination: "Munich", mode: "train" } },
    ],
    [["route", "Berlin", "Hamburg"], { "maps.find_route": { origin: "Berlin", destination: "Hamburg" } }],
    [["add a note", "the weather is nice in Paris"], { "notes.add": { text: "the weather is nice in Paris" } }],
    [["search docs", "weather"], { "docs.search": { query: "weather" } }],
    [["price of a share", "AAPL"], { "stocks.quote": { symbol: "AAPL" } }],
  ])("takes the next message as the answer: %j", async (messages, expected) => {
    expect((await replay(messages)).at(-1)).toEqual(expected);
  });

  test("asks once more and then lets go", async () => {
    expect(await replay(["roll dice", "many", "lots", "3"])).toEqual(["question", "question", "failure", "failure"]);
  });

  test.each([["never mind"], ["cancel"], ["forget it"]])("lets go when told to: %s", async (message) => {
    const { say } = converse();
    await say("weather");
    expect(await say(message)).toMatchObject({ kind: "answer", text: "All right, I leave that." });
    // Nothing waits for a place any more.
    expect(await say("Lisbon")).toMatchObject({ kind: "question", alternatives: ["runner.get_weather"] });
  });

  test.each([
    ["weather", "convert 5 miles to km", { "units.convert_length": { value: 5, from: "mile", to: "km" } }],
    ["search docs", "what is the weather in Lyon?", { "runner.get_weather": { location: "Lyon" } }],
    ["weather", "help", "help"],
  ])("notices another request instead of an answer: %s, %s", async (first, second, expected) => {
    expect((await replay([first, second]))[1]).toEqual(expected);
  });

  test.each([
    [["convert", "the first"], "question", "How much money? It is at least 0."],
    [["convert", "length please"], "question", "What is the value? (The length.)"],
    [["convert", "units.convert_length"], "question", "What is the value? (The length.)"],
    [["convert", "2"], "question", "What is the value? (The length.)"],
  ])("lets a tool be chosen: %j", async (messages, kind, text) => {
    const { say } = converse();
    await say(messages[0] ?? "");
    expect(await say(messages[1] ?? "")).toMatchObject({ kind, text });
  });

  test("runs a tool that changes something once that is confirmed, with what was said at first", async () => {
    expect((await replay(["note that the door code is 1234", "yes"])).at(-1)).toEqual({
      "notes.add": { text: "the door code is 1234" },
    });
    for (const answer of ["what is a note?", "a note", "the first", "maybe", "don't add a note"]) {
      const { ctx, say } = converse();
      await say("note that the door code is 1234");
      await say(answer);
      expect([answer, ctx.called]).toEqual([answer, []]);
    }
    const { ctx, say } = converse();
    await say("note that the door code is 1234");
    expect(await say("no")).toMatchObject({ text: "All right, I leave it." });
    expect(ctx.called).toEqual([]);
  });

  test.each(["yes please", "Yes, go ahead.", "sure, run it", "of course", "oui", "ja, bitte"])(
    "hears a consent: %s",
    async (answer) => {
      expect((await replay(["note that the door code is 1234", answer])).at(-1)).toMatchObject({ "notes.add": {} });
    },
  );

  test.each([
    "yes, but not now",
    "yes if nobody minds",
    "ok, tomorrow",
    "sure?",
    "on second thought, leave it",
    "yes, the weather is nice",
    "how would I add a note?",
  ])("hears no consent: %s", async (answer) => {
    const { ctx, say } = converse();
    await say("note that the door code is 1234");
    await say(answer);
    expect(ctx.called.filter(({ name }) => name === "notes.add")).toEqual([]);
  });

  test("lets one that changes something be chosen by its name alone", async () => {
    const twins = FIXTURE_TOOLS.filter(({ name }) => name === "notes.add").flatMap((tool) =>
      ["notes.add", "memos.add"].map((name) => ({ ...tool, name, description: "Adds a memo, which is a note." })),
    );
    const chosen: unknown[] = [];
    for (const answer of ["the memos.add one", "memos.add is broken", "memos.add if it works", "not memos.add"]) {
      const { ctx, say } = converse({ tools: twins });
      expect(await say("a memo note: eat")).toMatchObject({
        kind: "question",
        alternatives: ["memos.add", "notes.add"],
      });
      await say(answer);
      chosen.push(ctx.called.map(({ name }) => name));
    }
    expect(chosen).toEqual([["memos.add"], [], [], []]);
  });
});
