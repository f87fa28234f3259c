import { describe, expect, test } from "vitest";
import { missingArguments, readArguments } from "../../../../server/protocol/methods/prompt-arguments.ts";
import type { Prompt } from "../../../../server/versions/version.ts";

const prompt: Prompt = {
  name: "greet",
  arguments: [
    { name: "who", required: true, ask: "Who?", suggestions: [] },
    { name: "tone", required: false, suggestions: [] },
    { name: "place", required: true, suggestions: [] },
  ],
  messages: [],
};

describe("readArguments", () => {
  test("takes what the prompt declares", () => {
    expect(readArguments(prompt, { who: "Ada", tone: "" })).toEqual(
      new Map([
        ["who", "Ada"],
        ["tone", ""],
      ]),
    );
    expect(readArguments(prompt, undefined)).toEqual(new Map());
  });

  test.each([
    [null, "`arguments` must be an object."],
    ["who", "`arguments` must be an object."],
    [["Ada"], "`arguments` must be an object."],
    [{ who: 7 }, "`arguments.who` must be a string and one of: who, tone, place."],
    [{ whom: "Ada" }, "`arguments.whom` must be a string and one of: who, tone, place."],
    [{ constructor: "Ada" }, "`arguments.constructor` must be a string and one of: who, tone, place."],
  ])("refuses %j", (given, message) => {
    expect(() => readArguments(prompt, given)).toThrow(expect.objectContaining({ name: "BAD_REQUEST", message }));
  });
});

describe("missingArguments", () => {
  test("finds what is required and not given, in the order of the manifest", () => {
    const missing = (given: object) => missingArguments(prompt, readArguments(prompt, given)).map(({ name }) => name);
    expect(missing({})).toEqual(["who", "place"]);
    expect(missing({ place: "Rome" })).toEqual(["who"]);
    expect(missing({ place: "", who: "" })).toEqual([]);
  });
});
