import { describe, expect, test } from "vitest";
import { asksAboutChat, isRequest, toRequests } from "../../../../tools/_lib/chat/requests.ts";
import { replay } from "../../converse.ts";

const weather = (location: string, more: object = {}) => ({ "runner.get_weather": { location, ...more } });

describe("what a message asks for", () => {
  test.each([
    ["next Friday 5pm New York", weather("New York", { when: "2026-07-03T17:00:00Z" })],
    ["oslo the day after tomorrow at noon", weather("oslo", { when: "2026-07-03T12:00:00Z" })],
    ["Madrid 2026-07-05 18:30", weather("Madrid", { when: "2026-07-05T18:30:00Z" })],
    ["Phoenix in Fahrenheit", weather("Phoenix", { units: "imperial" })],
    ["Use km/h and °C: Dallas, now", weather("Dallas", { units: "metric", when: "now" })],
    ["half past seven tomorrow evening: gloves in Leeds?", weather("Leeds", { when: "2026-07-02T19:30:00Z" })],
    ["tonight at 11 in Seattle", weather("Seattle", { when: "2026-07-01T23:00:00Z" })],
    ["a week from today in Lagos, rain?", weather("Lagos", { when: "2026-07-08T12:00:00Z" })],
    ["give me Tokyo's temperature", weather("Tokyo")],
    ["I made a ticket last week. Is it cold in Kiel?", weather("Kiel")],
    ["wether in londn", weather("londn")],
    ["regnet es in Hamburg?", weather("Hamburg")],
    ["北京明天天气怎么样?", weather("北京", { when: "2026-07-02T12:00:00Z" })],
  ])("is looked up: %s", async (message, call) => {
    expect(await replay([message])).toEqual([call]);
  });

  test.each([
    ["will it snow in Oslo next winter?", "failure"],
    ["weather at my place", "question"],
    ["should I take a jacket tonight?", "question"],
    ["London", "question"],
    ["Hallo, was kannst du alles?", "help"],
    ["no idea how to use this", "help"],
    ["Merci beaucoup, bonne journée", "answer"],
    ["thanks, that's all I needed", "answer"],
    ["what is the meaning of life", "failure"],
  ])("is not guessed at: %s", async (message, kind) => {
    expect(await replay([message])).toEqual([kind]);
  });

  test("is told from what only tells", () => {
    expect(["The task I had was cancelled, bummer.", "I just added it"].map(isRequest)).toEqual([false, false]);
    expect(["the weather of St. Petersburg", "I want a note", "list it"].map(isRequest)).toEqual([true, true, true]);
    expect(toRequests("I deleted an old note and now I wonder: is it raining?")).toBe("is it raining?");
  });

  test("may be the chat itself", () => {
    expect(["what commands are there", "explain yourself", "explain the ledger"].map(asksAboutChat)).toEqual([
      true,
      true,
      false,
    ]);
  });
});
