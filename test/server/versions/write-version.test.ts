import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Release, writeRelease, writeToolVersion } from "../../../server/versions/write-version.ts";

const RELEASE: Release = {
  version: "9.0.0",
  replaced: undefined,
  parent: "1.0.0",
  date: "2026-06-01T00:00:00Z",
  changes: ["One: two.", "Three."],
};
const SAID = { parent: RELEASE.parent, date: RELEASE.date, changes: [...RELEASE.changes] };

/** Entries as people write them, at any indentation. */
const entries = fc.constantFrom<(name: string) => string>(
  (name) => `${name}: {changes: ['First.']}   # in braces`,
  (name) => `"${name}": { changes:   [  a, "b" ] ,parent : 0.0.1 }`,
  (name) => `# of ${name}\n${name}:\n    changes:\n    - First.   # why\n    # below it\n`,
  (name) => `${name}:\n  parent: '0.0.1'\n\n  changes: # all\n     - >-\n       Folded\n       text.\n     - x`,
  (name) => `${name}: { changes: [\n    a,\n  ] }`,
);
const indent = (text: string, spaces: number) => text.replaceAll(/^(?=.)/gm, " ".repeat(spaces));

const histories = fc
  .record({
    kinds: fc.array(entries, { minLength: 1, maxLength: 4 }),
    spaces: fc.integer({ min: 1, max: 6 }),
    newestFirst: fc.boolean(),
    head: fc.constantFrom("", "# Top.\n---\n", "labels: {stable:   0.0.7,next: 'abcdef1'} #\n"),
    quote: fc.constantFrom("", "'", '"'),
    after: fc.constantFrom("", " # newest first?"),
    tail: fc.constantFrom("", "\n", "\n# The end.\n", "\n\nlast: { of:  all }"),
    windows: fc.boolean(),
  })
  .map(({ kinds, spaces, newestFirst, head, quote, after, tail, windows }) => {
    const names = kinds.map((_, at) => `${newestFirst ? kinds.length - at : at + 1}.0.0`);
    const written = kinds.map((kind, at) => indent(kind(names[at] ?? ""), spaces).trimEnd());
    const eol = (text: string) => (windows ? text.replaceAll("\n", "\r\n") : text);
    const build = (current: string, list: readonly string[]) =>
      eol(`${head}current: ${quote}${current}${quote}   # now\nversions:${after}\n${list.join("\n")}${tail}`);
    return { names, written, spaces, build, isNewestFirst: newestFirst && kinds.length > 1 };
  });

describe("a release", () => {
  test("that is new is added, and every other byte but that of `current` stays", () => {
    fc.assert(
      fc.property(histories, ({ names, written, spaces, build, isNewestFirst }) => {
        const added = indent(
          `9.0.0:\n  parent: 1.0.0\n  date: 2026-06-01T00:00:00Z\n  changes:\n    - "One: two."\n    - Three.`,
          spaces,
        );
        const list = isNewestFirst ? [added, ...written] : [...written, added];
        const text = build(names[0] ?? "", written);
        expect(writeRelease(text, RELEASE)).toBe(build("9.0.0", list));
        expect(parse(writeRelease(text, RELEASE)).versions["9.0.0"]).toEqual(SAID);
      }),
    );
  });

  test("that takes the place of one that never was changes that one's lines only", () => {
    fc.assert(
      fc.property(histories, fc.nat(), ({ names, written, build }, place) => {
        const at = place % names.length;
        const replaced = names[at] ?? "";
        const text = build(replaced, written);
        const result = writeRelease(text, { ...RELEASE, replaced });
        const own = written[at] ?? "";
        const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
        const said = own.replaceAll("\n", lineBreak);
        // What was said above it is not its own.
        const entry = said.slice(said.search(/^ *["\d]/m));
        const from = text.indexOf(entry);
        const before = text.slice(0, from).replace(/(?<=^current: ['"]?)\d(?=\.0\.0)/m, "9");
        expect(result.slice(0, before.length)).toBe(before);
        const behind = text.slice(from + entry.length);
        expect(result.slice(result.length - behind.length)).toBe(behind);
        expect(result.match(/#.*/g)).toEqual(text.match(/#.*/g));
        const [old, made] = [parse(text), parse(result)];
        const listed = old.versions[replaced].changes;
        expect(made.versions["9.0.0"]).toEqual({ ...SAID, changes: [...listed, ...RELEASE.changes] });
        expect(Object.keys(made.versions)).toEqual(names.map((name) => (name === replaced ? "9.0.0" : name)));
      }),
    );
  });

  test("that takes the place of another is what its labels mean from now on", () => {
    const text = "current: 1.0.0\nlabels: {a:  1.0.0, b: '1.0.0',c: 0.9.0}\nversions:\n  1.0.0: {changes: [One.]}\n";
    expect(writeRelease(text, { ...RELEASE, replaced: "1.0.0", changes: ["One."] })).toBe(
      "current: 9.0.0\nlabels: {a:  9.0.0, b: '9.0.0',c: 0.9.0}\nversions:\n  9.0.0: { changes: [ One. ], parent: 1.0.0, date: 2026-06-01T00:00:00Z }\n",
    );
  });

  test("is refused where versions are listed in braces", () => {
    expect(() => writeRelease("current: 1.0.0\nversions: { 1.0.0: { changes: [] } }\n", RELEASE)).toThrow(
      "on lines of its own",
    );
  });
});

test("a tool's version changes without any other byte of its manifest", () => {
  const text = "name:   a.b\r\nversion: '1.0.0'   # now\r\ninput: {type:   object}";
  expect(writeToolVersion(text, "1.1.0")).toBe(text.replace("1.0.0", "1.1.0"));
  expect(() => writeToolVersion("name: a\n", "1.1.0")).toThrow("no version where one should stand");
});
