import fc from "fast-check";
import { expect, test } from "vitest";
import { failed, passed, skipped } from "../../../../../server/architect/pipeline/verify/outcome.ts";

test("an outcome has a line for each thing, without what could forge one", () => {
  expect(failed("a.ts:1:1: wrong", "b.ts:2:2: wrong\nc.ts:3:3: \u001b[31mforged")).toEqual({
    status: "failed",
    message: "a.ts:1:1: wrong\nb.ts:2:2: wrong\\u000ac.ts:3:3: \\u001b[31mforged",
  });
  expect([passed("Well.").status, skipped("Not needed.").status]).toEqual(["passed", "skipped"]);
});

test("is bounded, and says how much is left out", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${index} ${"x".repeat(96)}`);
  const shown = failed(...lines).message.split("\n");
  expect(shown.at(-1)).toBe(`... and ${100 - (shown.length - 1)} more.`);
  expect(shown.slice(0, -1)).toEqual(lines.slice(0, shown.length - 1));
  expect(passed("y".repeat(1_000)).message).toBe(`${"y".repeat(500)}...`);
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 700, unit: "binary" }), { maxLength: 20 }), (many) => {
      const { message } = failed(...many);
      expect(message.length).toBeLessThan(4_100);
      expect(message.isWellFormed()).toBe(true);
    }),
  );
});
