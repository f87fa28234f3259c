import fc from "fast-check";
import { expect, test } from "vitest";
import { printable, printableLines } from "../../server/printable.ts";
import { jsonValues } from "../helpers/json-values.ts";

test("control characters become escapes, and everything else stays", () => {
  expect(printable("a\u001b[2Jb\u009b1m\u007f\r\n\u2028é€😀")).toBe(
    "a\\u001b[2Jb\\u009b1m\\u007f\\u000d\\u000a\\u2028é€😀",
  );
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
