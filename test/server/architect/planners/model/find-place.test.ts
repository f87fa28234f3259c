import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findPlace } from "../../../../../server/architect/planners/model/find-place.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

const TEXT = `name: runner.greet
input:
  type: object
  properties:
    who: { type: string }
    units: { type: string,  enum: [metric] }
examples:
  - input: { who: Ada }
    output: { text: Hi }
  - input: { who: Bob }
    output: { text: Ho }
`;

function replaced(find: string, put: string, text = TEXT): string {
  const place = findPlace(text, find, put);
  return place.ok ? text.slice(0, place.start) + place.put + text.slice(place.end) : place.fault;
}
const EXPECTED = TEXT.replace("who: { type: string }", "who: { type: integer }");
const NEXT = TEXT.replace("    who: { type: string }\n", "    who:\n      type: integer\n");

describe("the place of a replacement", () => {
  test.each<[string, string, string, string]>([
    ["the exact text", "who: { type: string }", "who: { type: integer }", EXPECTED],
    ["a quoting sign", "|     who: { type: string }", "|     who: { type: integer }", EXPECTED],
    ["a quoting sign in what is searched alone", "| who: { type: string }", "who: { type: integer }", EXPECTED],
    ["another quoting sign", "> who: { type: string }", "> who: { type: integer }", EXPECTED],
    ["a line number", "5:     who: { type: string }", "5:     who: { type: integer }", EXPECTED],
    ["a line number with a bar", "  5 | who: { type: string }", "  5 | who: { type: integer }", EXPECTED],
    ["other spaces between words", "who:  {  type: string }", "who: { type: integer }", EXPECTED],
    ["too many spaces around", "   who: { type: string }  ", "who: { type: integer }", EXPECTED],
    ["lines at another depth", "properties:\n  who: { type: string }", "properties:\n  who:\n    type: integer", NEXT],
    [
      "lines that are too deep",
      "      properties:\n        who: { type: string }\n",
      "      properties:\n        who:\n          type: integer\n",
      NEXT,
    ],
    [
      "lines with numbers, at another depth",
      "4| properties:\n5|   who: { type: string }",
      "4| properties:\n5|   who:\n6|     type: integer",
      NEXT,
    ],
    [
      "single spaces where the file has two",
      "units: { type: string, enum: [metric] }",
      "units: { type: string, enum: [metric, kelvin] }",
      TEXT.replace("units: { type: string,  enum: [metric] }", "units: { type: string, enum: [metric, kelvin] }"),
    ],
  ])("is found by %s", (_, find, put, after) => {
    expect(replaced(find, put)).toBe(after);
  });

  test("is not guessed between two, whose lines are named", () => {
    expect(replaced("  - input: { who:", "x")).toBe(
      "stands in the file more than once, in lines 8, 10. Add lines around it.",
    );
    expect(replaced("-  input: { who:", "x")).toMatch(/^stands in the file more than once, in lines 8, 10\./);
    expect(replaced("a:\nb:", "x", "  a:\n  b:\nc:\n    a:\n    b:\n")).toMatch(/more than once, in lines 1, 4\./);
  });

  test("that is not there is answered with the nearest lines and their numbers", () => {
    expect(replaced("units: { type: string, enum: [metric, imperial] }", "x")).toBe(
      [
        "does not stand in the file. The nearest lines are:",
        "5:     who: { type: string }",
        "6:     units: { type: string,  enum: [metric] }",
        "7: examples:",
      ].join("\n"),
    );
    expect(replaced("zzz", "x")).toBe("does not stand in the file. Read it first.");
  });

  test("of what stands in a text once is always found, and nothing else of the text changes", () => {
    const line = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,3}$/);
    fc.assert(
      fc.property(fc.uniqueArray(line, { minLength: 3, maxLength: 12 }), fc.nat(), fc.nat(8), (lines, pick, depth) => {
        const at = pick % (lines.length - 1);
        const text = lines.map((one) => `    ${one}`).join("\n");
        const asked = lines.slice(at, at + 2).map((one) => `${" ".repeat(depth)}${one}`);
        const after = replaced(asked.join("\n"), asked.map((one) => `${one}!`).join("\n"), text);
        const expected = lines.map((one, index) => `    ${one}${index === at || index === at + 1 ? "!" : ""}`);
        // Lines that are parts of others may stand in several places, which is not guessed.
        expect(after.startsWith("stands in the file more than once") || after === expected.join("\n")).toBe(true);
      }),
    );
  });

  test.each([" ", "\n", "a ", "| ", "1: ", "a\n"])("takes little time for %j again and again", async (part) => {
    const text = part.repeat(Math.ceil(65_536 / part.length));
    await expectQuick(2000, () => [findPlace(text, `${text}b`, ""), findPlace(text, "c d\ne", "")]);
  });
});
