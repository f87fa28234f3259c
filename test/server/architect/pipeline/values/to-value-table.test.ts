import fc from "fast-check";
import { expect, test } from "vitest";
import { toValueTable } from "../../../../../server/architect/pipeline/values/to-value-table.ts";

const of = (before: unknown, after: unknown, key = "title") =>
  toValueTable([{ place: "runner.greet", key, before, after }])
    .split("\n")
    .at(-1);

test("has a row for each value, with what it is, before and after", () => {
  expect(
    toValueTable([
      { place: "runner.greet", key: "limits.time", before: 1000, after: 2000 },
      { place: "runner.greet", key: "title", before: undefined, after: "Hello there" },
      { place: "runner.new", key: "", before: undefined, after: { name: "runner.new" } },
      { place: "runner.old", key: "", before: { name: "runner.old" }, after: undefined },
    ]),
  ).toBe(
    [
      "| what | before | after |",
      "| --- | --- | --- |",
      "| `runner.greet` `limits.time` | `1000` | `2000` |",
      '| `runner.greet` `title` | none | `"Hello there"` |',
      "| `runner.new` | none | a new manifest |",
      "| `runner.old` | a manifest | none |",
    ].join("\n"),
  );
  expect(toValueTable([])).toBe("");
});

test("cuts long values, and what two of them begin with alike", () => {
  const long = "word ".repeat(60);
  expect(of(undefined, long)).toBe(
    `| \`runner.greet\` \`title\` | none | \`"${long.slice(0, 99)} ... (302 characters in all)\` |`,
  );
  expect(of(`${long}one`, `${long}two`)).toBe(
    '| `runner.greet` `title` | `…word word word word one"` | `…word word word word two"` |',
  );
});

test("says how many rows there are more than it shows", () => {
  const rows = Array.from({ length: 43 }, (_, at) => ({ place: "a", key: `k${at}`, before: 1, after: 2 }));
  const lines = toValueTable(rows).split("\n");
  expect([lines.length, lines.at(-1)]).toEqual([43, "| and 3 more |  |  |"]);
});

test.each([
  ["a bar", "a | b", '"a \\u007c b"'],
  ["a bar behind a backslash", "a\\| b", '"a\\\\\\u007c b"'],
  ["backquotes", "`` `x` <b>", '"\\u0060\\u0060 \\u0060x\\u0060 <b>"'],
  ["line breaks", "a\n| b\r\n# c", '"a\\n\\u007c b\\r\\n# c"'],
  ["separators that are not seen", "a\u2028b\u202ec", '"a\\u2028b\\u202ec"'],
  ["mentions and HTML, which are only text in code", "@admin <img src=x> #12", '"@admin <img src=x> #12"'],
])("takes nothing of a value for Markdown: %s", (_, value, shown) => {
  expect(of(undefined, value)).toBe(`| \`runner.greet\` \`title\` | none | \`${shown}\` |`);
});

test("has three cells a row, of code alone, whatever the values and keys are", () => {
  const text = fc.string({ unit: fc.constantFrom(...'`|\\\n\r\t\u2028\u202e\u0000\ud800<>@#[]a" 𝒳'), maxLength: 300 });
  fc.assert(
    fc.property(text, text, fc.oneof(text, fc.jsonValue()), (key, before, after) => {
      const code = "`[^`|\\n]+`";
      expect(of(before, after, `x${key}`)).toMatch(
        new RegExp(`^\\| \`runner\\.greet\` ${code} \\| ${code} \\| ${code} \\|$`),
      );
    }),
  );
});
