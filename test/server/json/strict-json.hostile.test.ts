import { beforeAll, describe, expect, test } from "vitest";
import { MAX_JSON_DEPTH } from "../../../server/json/canonical-json.ts";
import { readStrictJson } from "../../../server/json/strict-json.ts";
import { expectQuick } from "../../helpers/expect-quick.ts";

const MEGABYTE = 1024 * 1024;

const nest = (levels: number, open = "[", inner = "", close = "]") =>
  open.repeat(levels) + inner + close.repeat(levels);

// Small bodies by the thousand come first in a service, too, and decide what the engine makes of the code.
beforeAll(() => {
  const plain = { method: "tools/call", params: { name: "runner.chat", arguments: { n: [1, 2], said: "\\ \n" } } };
  for (const text of [JSON.stringify(plain), JSON.stringify({ ...plain, big: 1e21, '"': plain })]) {
    for (let i = 0; i < 20_000; i++) readStrictJson(text);
  }
});

describe("nesting", () => {
  test(`is read up to ${MAX_JSON_DEPTH} levels`, () => {
    expect(JSON.stringify(readStrictJson(nest(MAX_JSON_DEPTH)))).toBe(nest(MAX_JSON_DEPTH));
    const objects = nest(MAX_JSON_DEPTH, '{"a":', "1", "}");
    expect(JSON.stringify(readStrictJson(objects))).toBe(objects);
  });

  test.each([
    ["one array", nest(MAX_JSON_DEPTH + 1)],
    ["one object", nest(MAX_JSON_DEPTH + 1, '{"a":', "1", "}")],
    ["10,000 arrays", nest(10_000)],
    ["100,000 arrays", nest(100_000)],
    ["100,000 objects", nest(100_000, '{"a":', "[]", "}")],
    ["as many arrays as a megabyte holds", nest(MEGABYTE / 2)],
  ])("is refused further in, in few words: %s", (_, text) => {
    expect(() => readStrictJson(text)).toThrow(
      expect.objectContaining({
        name: "INVALID_REQUEST",
        message: expect.stringMatching(/^The body nests deeper than 256 levels at `(?:\/[0a]){50}…`\.$/),
      }),
    );
  });

  test("does not exhaust the stack where it never ends", () => {
    expect(() => readStrictJson("[".repeat(MEGABYTE))).toThrow(expect.objectContaining({ name: "PARSE_ERROR" }));
  });
});

describe("a fault", () => {
  test.each([
    ["one name", `{${'"a":1,'.repeat(MEGABYTE / 6)}"a":1}`],
    ["digits", `[${"9".repeat(MEGABYTE)}]`],
    ["escaped backslashes and quotes", `["${'\\\\\\"'.repeat(MEGABYTE / 4)}",1e400]`],
    ["numbers that need a second look", `[${"1e20,".repeat(MEGABYTE / 5)}1e400]`],
    ["names", `{${Array.from({ length: 90_000 }, (__, i) => `"k${i}":1,`).join("")}"x":1e400}`],
    ["long names", `${`{"${"k".repeat(4000)}":`.repeat(255)}1e400${"}".repeat(255)}`],
  ])("is found within a second or so in a megabyte of %s, and shown in few words", async (_, text) => {
    await expectQuick(1500, () =>
      expect(() => readStrictJson(text)).toThrow(
        expect.objectContaining({ name: "INVALID_REQUEST", message: expect.stringMatching(/^.{1,300}$/) }),
      ),
    );
  });
});
