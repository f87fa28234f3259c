import fc from "fast-check";
import { expect, test } from "vitest";
import { findHidden } from "../../../server/text/find-hidden.ts";
import { printable, printableLines } from "../../../server/text/printable.ts";
import { jsonValues } from "../../helpers/json-values.ts";

test("control characters become escapes, and everything else stays", () => {
  expect(printable("a\u001b[2Jb\u009b1m\u007f\r\n\u2028é€😀")).toBe(
    "a\\u001b[2Jb\\u009b1m\\u007f\\u000d\\u000a\\u2028é€😀",
  );
});

test.each([
  ["an order to a terminal", "a\u009b1mb", "a\\u009b1mb"],
  ["a turn of the direction of text", "a\u202eb\u2066c", "a\\u202eb\\u2066c"],
  ["signs without width", "a\u200bb\u2060c\ufeff", "a\\u200bb\\u2060c\\ufeff"],
  ["tags", "a\u{e0041}", "a\\udb40\\udc41"],
  ["tags after a flag", "🏴\u{e0067}\u{e007f}", "🏴\\udb40\\udc67\\udb40\\udc7f"],
  ["a run of variation selectors", "❤\ufe0f\ufe0f", "❤\ufe0f\\ufe0f"],
  ["half a character", "\ud83d!", "\\ud83d!"],
  ["a joiner between Latin letters", "a\u200cb", "a\\u200cb"],
])("%s becomes an escape", (_, text, expected) => {
  expect(printable(text)).toBe(expected);
  expect(findHidden(text).length).toBeGreaterThan(0);
});

test.each([
  ["pictures of several signs", "👩\u200d👩\u200d👧 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥"],
  ["Persian", "می\u200cخواهم"],
  ["Hindi", "क्\u200dष"],
  ["lines and tabs", "a\tb\nc"],
])("%s have nothing hidden in them", (_, text) => {
  expect(findHidden(text)).toEqual([]);
});

test("lines stay apart", () => {
  expect(printableLines("a\nb\u001bc\n")).toBe("a\nb\\u001bc\n");
});

test("JSON stays the same JSON, without a control character", () => {
  fc.assert(
    fc.property(jsonValues({ stringUnit: "binary" }), (value) => {
      const text = JSON.stringify(value, undefined, 2);
      expect(JSON.parse(printableLines(text))).toEqual(JSON.parse(text));
      expect(printableLines(text)).not.toMatch(/[^\P{Cc}\n]/u);
    }),
  );
});
