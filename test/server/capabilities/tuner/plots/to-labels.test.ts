import fc from "fast-check";
import { expect, test } from "vitest";
import { toLabel, toLabels } from "../../../../../server/capabilities/tuner/plots/to-labels.ts";

test("labels are short, all different and of characters that XML has", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 60 })), (names) => {
      const labels = toLabels(names);
      expect(new Set(labels).size).toBe(names.length);
      for (const label of labels) {
        expect(label.length).toBeLessThan(50);
        expect(label.isWellFormed()).toBe(true);
        // oxlint-disable-next-line no-control-regex -- they are what must not be there
        expect(label).not.toMatch(/[\u0000-\u001F\u007F-\u009F\uFFFE\uFFFF]/);
      }
    }),
  );
});

test("names that only differ far behind get numbers", () => {
  const long = "x".repeat(60);
  expect(toLabels([`${long}1`, `${long}2`])).toEqual([`${"x".repeat(39)}…`, `${"x".repeat(39)}… (2)`]);
  expect(toLabel("bm25")).toBe("bm25");
});
