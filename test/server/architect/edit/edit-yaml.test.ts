import { globSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, parseDocument } from "yaml";
import type { Path } from "../../../../server/architect/edit/edit-json.ts";
import { editYaml } from "../../../../server/architect/edit/edit-yaml.ts";
import type { Json } from "../../../../server/store/store.ts";

const MANIFESTS = globSync("manifests/**/*.yaml").map((path) => readFileSync(path, "utf8"));

/** Lines that one text has and the other has not. */
function countChanges(before: string, after: string): readonly [gone: number, come: number] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [old.length - start - end, now.length - start - end];
}

/** Every place of a document that holds a scalar, or a collection with items. */
function placesOf(text: string): {
  readonly scalars: readonly Path[];
  readonly lists: readonly Path[];
  readonly maps: readonly Path[];
} {
  const [scalars, lists, maps]: [Path[], Path[], Path[]] = [[], [], []];
  const walk = (value: unknown, path: Path) => {
    if (Array.isArray(value)) {
      lists.push(path);
      for (const [at, item] of value.entries()) walk(item, [...path, at]);
    } else if (typeof value === "object" && value !== null) {
      maps.push(path);
      for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
    } else scalars.push(path);
  };
  walk(parse(text), []);
  return { scalars, lists: lists.filter((path) => path.length > 0), maps };
}

const RUNS = { numRuns: process.env["CAIRN_LONG"] ? 500 : 60 };
const texts = fc.constantFrom(...MANIFESTS);
const numbers = MANIFESTS.flatMap((text) => {
  const document = parseDocument(text);
  return placesOf(text)
    .scalars.filter((path) => {
      const node = document.getIn(path, true) as { readonly value: unknown; readonly source: string };
      // Written as it would be written here: 0.0 is another matter.
      return Number.isInteger(node.value) && node.source === String(node.value);
    })
    .map((path) => ({ text, path, old: Number(document.getIn(path)) }));
});
const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "yes",
    "null",
    "1.0",
    "a: b",
    "a #b",
    "- x",
    "2026-01-01",
    "~",
    "0x1f",
    "line\nbreak",
    "tool:a.b",
    "é, ü",
    "",
  ),
);
const scalars: fc.Arbitrary<Json> = fc.oneof(
  words,
  fc.integer({ min: -1e6, max: 1e6 }),
  fc.boolean(),
  fc.constant(null),
);
const values: fc.Arbitrary<Json> = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.oneof(scalars, fc.array(scalars, { maxLength: 2 })), {
    maxKeys: 3,
  }),
);

describe("a change of YAML", () => {
  test("of a scalar on one line leaves every other line as it is", () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: 0, max: 999 }), (text, pick, value) => {
        const document = parseDocument(text);
        const places = placesOf(text).scalars.filter((path) => {
          const node = document.getIn(path, true) as { readonly range: readonly [number, number] };
          return !text.slice(...node.range).includes("\n");
        });
        const path = places[pick % places.length] ?? [];
        const edited = editYaml(text, { kind: "set", path, value });
        expect(countChanges(text, edited)).toEqual(edited === text ? [0, 0] : [1, 1]);
        expect(parseDocument(edited).getIn(path)).toBe(value);
      }),
      RUNS,
    );
  });

  test("of a number, and back, gives the same bytes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...numbers), fc.integer({ min: 0, max: 999 }), ({ text, path, old }, value) => {
        expect(editYaml(editYaml(text, { kind: "set", path, value }), { kind: "set", path, value: old })).toBe(text);
      }),
      RUNS,
    );
  });

  test("that adds an item to a list that has some, and takes it out again, gives the same bytes", () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), values, (text, pick, at, value) => {
        const places = placesOf(text).lists.filter((path) => listAt(text, path).length > 0);
        fc.pre(places.length > 0);
        const path = places[pick % places.length] ?? [];
        const item = [...path, at % (listAt(text, path).length + 1)];
        const edited = editYaml(text, { kind: "insert", path: item, value });
        expect(parseDocument(edited).getIn(item.slice(0, -1), true)).toBeDefined();
        expect(editYaml(edited, { kind: "remove", path: item })).toBe(text);
      }),
      RUNS,
    );
  });

  test("that adds a key to a mapping that has some, and takes it out again, gives the same bytes", () => {
    fc.assert(
      fc.property(texts, fc.nat(), values, (text, pick, value) => {
        const places = placesOf(text).maps.filter((path) => Object.keys(mapAt(text, path)).length > 0);
        const path = [...(places[pick % places.length] ?? []), "zz_new"];
        const edited = editYaml(text, { kind: "set", path, value });
        expect(countChanges(text, edited)[0]).toBeLessThanOrEqual(1);
        expect(editYaml(edited, { kind: "remove", path })).toBe(text);
      }),
      RUNS,
    );
  });

  test("that removes anything keeps all comments that are not of what is removed", () => {
    const text =
      "# top\na: 1 # of a\n\n# of b\nb:\n  # inside\n  c: 1\n  # of d\n  d: 2\n  # end of b\ne: { f: 1, g: [x, y] } # of e\n";
    const remove = (...path: Path) => editYaml(text, { kind: "remove", path });
    expect(remove("a")).toBe(text.replace("a: 1 # of a\n", ""));
    expect(remove("b", "d")).toBe(text.replace("  # of d\n  d: 2\n", ""));
    expect(remove("b", "c")).toBe(text.replace("  # inside\n  c: 1\n", ""));
    expect(remove("e", "f")).toBe(text.replace("f: 1, ", ""));
    expect(remove("e", "g", 1)).toBe(text.replace(", y", ""));
    expect(remove("e")).toBe(text.replace("e: { f: 1, g: [x, y] } # of e\n", ""));
  });

  test("keeps quotes, line ends of Windows and a missing line end", () => {
    expect(editYaml("a: 'x'\r\nb: \"w\"\r\nc:  1", { kind: "set", path: ["b"], value: "z" })).toBe(
      "a: 'x'\r\nb: \"z\"\r\nc:  1",
    );
    expect(editYaml("a:\r\n  - 1", { kind: "insert", path: ["a", 1], value: { b: 2 } })).toBe(
      "a:\r\n  - 1\r\n  - b: 2",
    );
    expect(editYaml("a: 1\nb: 2", { kind: "remove", path: ["b"] })).toBe("a: 1");
    expect(editYaml("a:\n  b: 1 # one\n", { kind: "set", path: ["a"], value: {} })).toBe("a: {} # one\n");
    expect(editYaml("a: {}\n", { kind: "set", path: ["a", "b", "c"], value: [1] })).toBe("a: { b: { c: [1] } }\n");
    expect(editYaml("- a: 1\n  b: 2\n", { kind: "remove", path: [0, "a"] })).toBe("- b: 2\n");
  });

  test("writes a sentence before a folded text as a line of its own, and folds a new text", () => {
    const text = "a: >-\n  One two\n  three.\nb: 1\n";
    const longer = editYaml(text, { kind: "set", path: ["a"], value: "First. One two three." });
    expect(longer).toBe("a: >-\n  First.\n  One two\n  three.\nb: 1\n");
    expect(editYaml(longer, { kind: "set", path: ["a"], value: "One two three." })).toBe(text);
    const folded = editYaml(text, { kind: "set", path: ["a"], value: "word ".repeat(60).trim() });
    expect(folded.split("\n").every((line) => line.length <= 118)).toBe(true);
    expect(parse(folded)).toEqual({ a: "word ".repeat(60).trim(), b: 1 });
  });

  test("refuses places that there are not, and files that it cannot read", () => {
    expect(() => editYaml("a: 1\n", { kind: "remove", path: ["b"] })).toThrow("no place `/b`");
    expect(() => editYaml("a: [1]\n", { kind: "insert", path: ["a", 3], value: 1 })).toThrow("no place `/a/3`");
    expect(() => editYaml("a: [1\n", { kind: "set", path: ["a"], value: 1 })).toThrow("no YAML that can be read");
  });
});

function listAt(text: string, path: Path): readonly unknown[] {
  const value: unknown = path.reduce<unknown>(
    (at, step) => (at as Record<string | number, unknown>)[step],
    parse(text),
  );
  return value as readonly unknown[];
}

function mapAt(text: string, path: Path): Readonly<Record<string, unknown>> {
  return path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], parse(text)) as Readonly<
    Record<string, unknown>
  >;
}
