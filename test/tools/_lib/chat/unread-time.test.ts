import { describe, expect, test } from "vitest";
import { converse } from "../../converse.ts";

async function ask(...messages: readonly string[]) {
  const { ctx, say } = converse();
  let text = "";
  for (const message of messages) ({ text } = await say(message));
  return { text, inputs: ctx.called.map(({ input }) => input) };
}

/** It is noon of Wednesday, 1 July 2026. */
describe("a time that cannot be looked up", () => {
  test.each([
    ["weather in Vienna next summer", "next summer"],
    ["weather in Vienna, data for 1950", "for 1950"],
    ["weather in Xi'an on Chinese New Year", "Chinese New Year"],
    ["weather in Ghent on 30 February", "on 30 February"],
    ["weather in Ghent on my birthday", "on my birthday"],
    ["weather in Ghent on Father's Day", "on Father's Day"],
    ["Father's Day weather in Ghent", "Father's Day"],
    ["Ghent weather on Father's Day", "on Father's Day"],
    ["weather in Ghent on Midsummer's Eve", "on Midsummer's Eve"],
    ["Will it rain in Ghent on Eid?", "on Eid"],
    ["weather in Ghent at my niece's christening", "at my niece's christening"],
    ["weather in Ghent for our trip", "for our trip"],
    ["weather in Ghent for the carnival weekend", "carnival"],
    ["weather in Ghent in several weeks", "in several weeks"],
    ["weather in Ghent in a few months", "in a few months"],
    ["weather in Ghent in five fortnights", "in five fortnights"],
    ["weather in Ghent during the parade", "during the parade"],
    ["weather in Ghent after dinner", "after dinner"],
    ["weather in Ghent until the match", "until the match"],
    ["weather in Ghent next Wintermonth", "next Wintermonth"],
    ["weather in Ghent at the beginning of next week", "at the beginning of next week"],
    ["weather in Ghent by the end of the month", "by the end of the month"],
    ["weather in Ghent on Super Sunday", "on Super Sunday"],
    ["weather in Ghent the weekend before Easter", "the weekend before Easter"],
    ["weather in Ghent from Friday to Sunday", "Friday to Sunday"],
    ["weather in Ghent between Tuesday and 9 July", "Tuesday and 9 July"],
    ["weather in Ghent every morning next week", "every morning next week"],
    ["weather in Ghent for the rest of the week", "for the rest of the week"],
    ["weather in Ghent for the next four days", "for the next four days"],
    ["weather in Ghent in mid August", "in mid August"],
    ["weather in Ghent tomorrow at 5pm PST", "PST"],
    ["weather in Ghent at 17:00 CEST", "CEST"],
    ["is it cold in Ghent at 5pm Tokyo time", "Tokyo time"],
    ["Wetter in Gent am Vatertag", "on father's day"],
    ["Wie wird das Wetter in Gent während der Ferien?", "during holidays"],
    ["Wetter in Gent jeden Tag nächste Woche", "every day next week"],
    ["météo à Gand pendant le carnaval", "during carnaval"],
    ["météo à Gand pour les vacances", "for holidays"],
    ["el tiempo en Gante durante la fiesta", "during fiesta"],
    ["el tiempo en Gante en Semana Santa", "in holy week"],
    ["根特端午节天气", "dragon boat festival"],
  ])("is said, and nothing is looked up: %s", async (message, time) => {
    const { text, inputs } = await ask(message);
    expect(text).toMatch(`I do not know which time "${time}`);
    expect(inputs).toEqual([]);
  });

  test.each([
    ["weather in Ghent on 04/05/2026", '"04/05/2026" may be 5 April or 4 May. Which day do you mean?'],
    ["weather in Ghent on 2/11", '"2/11" may be 11 February or 2 November. Which day do you mean?'],
  ])("may be one of two: %s", async (message, text) => {
    expect(await ask(message)).toEqual({ text, inputs: [] });
  });

  test("is said in the answer to a question, too, which stays open", async () => {
    expect(await ask("weather", "Ghent on Father's Day")).toMatchObject({
      text: expect.stringContaining("on Father's Day"),
      inputs: [],
    });
    expect((await ask("weather", "Ghent on Father's Day", "Ghent")).inputs).toEqual([{ location: "Ghent" }]);
  });
});

describe("words that are no time", () => {
  test.each([
    ["is it warm enough in Ghent for a walk", {}],
    ["is it cold in Ghent for cycling", {}],
    ["weather in Ghent for my grandma", {}],
    ["is it windy on the coast near Ghent", {}],
    ["how is it in Ghent at the beach? weather please", {}],
    ["weather in Ghent by bike tomorrow", { when: "2026-07-02T12:00:00Z" }],
    ["will it be over 30 degrees in Ghent tomorrow", { when: "2026-07-02T12:00:00Z" }],
    ["will it be under 10 degrees in Ghent", {}],
    ["weather in Ghent tomorrow, Thursday", { when: "2026-07-02T12:00:00Z" }],
    ["weather in Ghent at 5pm UTC+2", { when: "2026-07-01T15:00:00Z" }],
    ["weather in Ghent at 5pm local time", { when: "2026-07-01T17:00:00Z" }],
    ["tomorrow in Ghent at 3pm, weather", { when: "2026-07-02T15:00:00Z" }],
    ["weather in Ghent on Black Friday", { when: "2026-11-27T12:00:00Z" }],
    ["weather in Ghent on Ash Wednesday", { when: "2027-02-10T12:00:00Z" }],
  ])("keep nothing from being looked up: %s", async (message, more) => {
    expect((await ask(message)).inputs).toEqual([{ location: "Ghent", ...more }]);
  });
});

describe("several days", () => {
  test.each([
    ["weather in Ghent this weekend", '"this weekend" is more than one day: this is for Saturday.'],
    ["weather in Ghent next week", '"next week" is more than one day: this is for Wednesday.'],
    ["Wetter in Gent am Wochenende", '"this weekend" is more than one day: this is for Saturday.'],
  ])("are said to be answered for one: %s", async (message, words) => {
    expect((await ask(message)).text.split("\n")[1]).toBe(`${words} Ask "and on ...?" for another day.`);
  });

  test.each(["weather in Ghent tomorrow", "weather in Ghent in a week", "events with bob@example.com next week"])(
    "are not made of one: %s",
    async (message) => {
      expect((await ask(message)).text).not.toContain("more than one day");
    },
  );

  test("of which two are named come one after the other", async () => {
    expect(await ask("weather in Ghent on Monday and Tuesday")).toMatchObject({
      text: expect.stringContaining('Ask "and Tuesday?" for the other.'),
      inputs: [{ location: "Ghent", when: "2026-07-06T12:00:00Z" }],
    });
  });
});
