import fc from "fast-check";
import { expect, test } from "vitest";
import { showChanges } from "../../../../../server/cli/client/connect/show-changes.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

test("shows each change with three lines around it", () => {
  const before = numbers(20);
  const after = before.toSpliced(15, 1, "x", "y").toSpliced(2, 1);
  expect(showChanges(before.join("\n"), after.join("\n"))).toEqual([
    "  0",
    "  1",
    "- 2",
    "  3",
    "  4",
    "  5",
    "  ...",
    "  12",
    "  13",
    "  14",
    "- 15",
    "+ x",
    "+ y",
    "  16",
    "  17",
    "  18",
  ]);
  expect(showChanges("", "a\r\nb\n")).toEqual(["+ a", "+ b"]);
  expect(showChanges("a\n", "a\n")).toEqual([]);
});

test("leads from the one text to the other", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      // Whatever is left out of sight is common to both.
      const shown = showChanges(before.join("\n"), after.join("\n")).filter((line) => line !== "  ...");
      const added = shown.filter((line) => line.startsWith("+")).length;
      const removed = shown.filter((line) => line.startsWith("-")).length;
      const count = (all: readonly string[]) => (all.join("\n") === "" ? 0 : all.length);
      expect(added - removed).toBe(count(after) - count(before));
      if (before.length + after.length <= 7) {
        const of = (mark: string) =>
          shown.filter((line) => [" ", mark].includes(line[0] ?? "")).map((line) => line.slice(2));
        if (added + removed > 0) expect([of("-"), of("+")]).toEqual([before, after]);
      }
    }),
  );
});

test("shows very long texts as replaced", () => {
  const [before, after] = [numbers(3000), numbers(3000).map((line) => `${line}!`)];
  expect(showChanges(before.join("\n"), after.join("\n"))).toHaveLength(6000);
});
