import { describe, expect, test } from "vitest";
import { fillTexts } from "../../../../tools/_lib/fill/find-text.ts";
import { createFields, draftOf } from "../../fields.ts";

const known = new Set(["send", "messag", "weather"]);
const text = { type: "string" };

describe("fillTexts", () => {
  test.each([
    ["send a message to Bob: running late", { recipient: "Bob", message: "running late" }],
    ["send Bob a message saying I am late", { recipient: "Bob", message: "I am late" }],
    ["send a message", {}],
  ])("tells a person from what is said: %j", (message, expected) => {
    const fields = createFields({ recipient: text, message: text });
    expect(fillTexts(draftOf(message), fields, known, true).values).toEqual(expected);
  });

  test("takes coordinates for a place that may be told by them", () => {
    const place = createFields({ location: { ...text, description: "City or 'lat,long'." } });
    expect(fillTexts(draftOf("at 48.85, 2.35 now"), place, known, true).values).toEqual({ location: "48.85,2.35" });
  });

  test("takes leftovers only when told to", () => {
    const place = createFields({ city: text });
    expect(fillTexts(draftOf("weather paris"), place, known, true).values).toEqual({ city: "paris" });
    expect(fillTexts(draftOf("weather paris"), place, known, false).values).toEqual({});
  });

  test("fills an optional text only by its name, or with what looks like one", () => {
    const fields = createFields({ city: { ...text, optional: true }, comment: { ...text, optional: true } });
    const read = (message: string) => fillTexts(draftOf(message), fields, known, true).values;
    expect(read("events in Berlin comment bring cake")).toEqual({ city: "Berlin", comment: "bring cake" });
    expect(read("events in the evening about cake")).toEqual({});
  });
});
