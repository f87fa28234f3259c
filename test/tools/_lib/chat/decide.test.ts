import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "../../../../tools/_lib/chat/decide.ts";
import { EMPTY } from "../../../../tools/_lib/chat/memory.ts";
import type { Situation } from "../../../../tools/_lib/chat/situation.ts";
import { createProfile } from "../../../../tools/_lib/chat/tool-profile.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";
import { STRANGERS, UTTERANCES } from "./utterances.ts";

const SITUATION: Situation = {
  profiles: FIXTURE_TOOLS.map(createProfile),
  memory: EMPTY,
  moment: { now: Date.UTC(2026, 6, 1, 12), offset: 0 },
  clockKnown: false,
  thresholds: { match: 0.4, margin: 0.15, followUpWords: 6 },
};

describe("decide", () => {
  test.each(UTTERANCES)("understands: %s", (message, call, values) => {
    const { clock: _, ...decision } = decide(message, SITUATION) as { clock?: number };
    expect(decision).toEqual({ call, arguments: values });
  });

  test.each(STRANGERS)("says that it does not understand: %j", (message) => {
    expect(decide(message, SITUATION)).toMatchObject({
      say: { kind: "failure", text: expect.stringContaining("- runner.get_weather: ") },
    });
  });

  test.each(["hello", "Good morning!", "Hi there, how are you?"])(
    "presents its server in a sentence: %s",
    (message) => {
      expect(decide(message, { ...SITUATION, server: "runner" })).toMatchObject({
        say: {
          kind: "help",
          alternatives: ["runner.get_weather"],
          text: 'Hello! I can use runner.get_weather (current weather, forecast or past weather at a place) for you. Ask in your own words, or say "help" for all tools of this version.',
        },
      });
    },
  );

  test.each(["help", "What can you do?", "what else can you do for me", "list your tools", "?"])(
    "answers with what the tools can do: %s",
    (message) => {
      const decision = decide(message, SITUATION);
      expect(decision).toMatchObject({
        say: { kind: "help", text: expect.stringContaining("- money.convert_currency: ") },
      });
    },
  );

  test("lists no more tools than can be read, and says that there are more", () => {
    const decision = decide("help", SITUATION);
    const text = "say" in decision ? decision.say.text : "";
    expect(text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(9);
    expect(text).toContain(`and ${FIXTURE_TOOLS.length - 8} more`);
  });

  test.each(["help with docs.search", "how do I use the search?", "what does docs.search do?"])(
    "explains one tool: %s",
    (message) => {
      expect(decide(message, SITUATION)).toMatchObject({
        say: { kind: "help", text: expect.stringContaining("- limit (optional): Maximum number of results") },
      });
    },
  );

  test("asks which tool is meant when two match alike", () => {
    expect(decide("convert", SITUATION)).toMatchObject({
      say: { kind: "question", alternatives: ["money.convert_currency", "units.convert_length"] },
      awaiting: { for: "tool", message: "convert" },
    });
  });

  test("asks for what is missing", () => {
    expect(decide("what's the weather?", SITUATION)).toMatchObject({
      say: {
        kind: "question",
        tool: "runner.get_weather",
        text: "What is the location? (City name or 'lat,long' coordinates.)",
      },
      awaiting: { for: "argument", field: "location" },
    });
    expect(decide("convert 5 to euros", SITUATION)).toMatchObject({
      say: { alternatives: ["USD", "EUR", "GBP", "JPY"] },
    });
  });

  test.each(["note that the door code is 1234", "make a note of my meeting", "a note"])(
    "does not run a tool that changes something without being told its name: %s",
    (message) => {
      expect(decide(message, SITUATION)).toMatchObject({
        say: { kind: "question", alternatives: ["notes.add"] },
        awaiting: { for: "tool" },
      });
    },
  );

  test("explains a tool that changes something to who asks about it, and leaves it where it is forbidden", () => {
    expect(decide("how do I add a note?", SITUATION)).toMatchObject({
      say: { kind: "help", text: expect.stringContaining("notes.add: Adds a note"), alternatives: ["notes.add"] },
    });
    expect(decide("don't add a note", SITUATION)).toMatchObject({ say: { text: "All right, I leave it." } });
  });

  test.each(["I just added a note by mistake.", "write a poem about autumn", "My ticket was created yesterday, fine."])(
    "offers no tool that changes something for what asks for none: %s",
    (message) => {
      expect(decide(message, SITUATION)).toMatchObject({ say: { kind: expect.stringMatching(/failure|help/) } });
    },
  );

  test("prefers the tool that the caller names, by its full name or the end of it", () => {
    for (const preferred of ["units.convert_length", "convert_length"]) {
      expect(decide("convert 3 inches to cm", { ...SITUATION, preferred })).toMatchObject({
        call: "units.convert_length",
      });
    }
    expect(decide("convert 3 usd to eur", { ...SITUATION, preferred: "no.such_tool" })).toMatchObject({
      call: "money.convert_currency",
    });
  });

  test("notices a second name and leaves it for the next turn", () => {
    expect(decide("weather in Paris and London", SITUATION)).toMatchObject({
      arguments: { location: "Paris" },
      left: "London",
    });
  });

  test("says so when there are no tools at all", () => {
    expect(decide("hello", { ...SITUATION, profiles: [] })).toMatchObject({
      say: { text: expect.stringContaining("no tools") },
    });
    expect(decide("weather", { ...SITUATION, profiles: [] })).toMatchObject({ say: { kind: "failure" } });
  });

  test("decides something about any message, and never to change anything", () => {
    const words = fc.constantFrom(
      ...UTTERANCES.flatMap(([message]) => message.split(" ")).filter((word) => !/note|ticket/.test(word)),
    );
    const message = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(words, { maxLength: 15 }).map((parts) => parts.join(" ")),
    );
    const effects = new Set(FIXTURE_TOOLS.filter(({ sideEffect }) => sideEffect).map(({ name }) => name));
    fc.assert(
      fc.property(message, (text) => {
        const decision = decide(text, SITUATION);
        if ("say" in decision) expect(decision.say.text).not.toBe("");
        else expect(effects.has(decision.call)).toBe(false);
      }),
      { numRuns: process.env["CAIRN_LONG"] ? 5_000 : 150 },
    );
  });

  test("decides among a hundred tools within tens of milliseconds", async () => {
    const profiles = Array.from({ length: 100 }, (_, index) =>
      FIXTURE_TOOLS.map((tool) => ({ ...tool, name: `${tool.name}${index}` })),
    )
      .flat()
      .slice(0, 99)
      .concat(FIXTURE_TOOLS.slice(0, 1))
      .map(createProfile);
    decide("warm up", { ...SITUATION, profiles });
    await expectQuick(200, () => decide("Will it rain in New York on Friday at 3pm?", { ...SITUATION, profiles }));
  });
});
