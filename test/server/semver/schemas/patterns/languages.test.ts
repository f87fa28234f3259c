import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSafePattern } from "../../../../../server/json/safe-pattern.ts";
import { createLanguages } from "../../../../../server/semver/schemas/patterns/languages.ts";
import { patternOf, toTexts } from "../../../../../server/semver/schemas/patterns/texts.ts";
import { TOPS } from "../../../../../server/semver/schemas/shape.ts";
import { compileSchema } from "../../../../../server/versions/manifests/schema/compile-schema.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

const isLong = process.env["CAIRN_LONG"] === "1";
const RUNS = isLong ? 50_000 : 600;
const TIMEOUT = isLong ? 3_600_000 : 60_000;

const isPart = (own: string, other: string) => createLanguages().find({ patterns: [own] }, other) === null;

describe("patterns that are part of others", () => {
  it.each([
    ["^[A-Z]{3}$", "^[A-Z][A-Z][A-Z]$"],
    ["^[A-Z][A-Z][A-Z]$", "^[A-Z]{3}$"],
    ["^\\d+$", "^[0-9]+$"],
    ["^[0-9a-f]{40}$", "^[0-9a-f]{7,40}$"],
    ["^[a-z-]+$", "^[a-z.-]+$"],
    ["^ab", "^a"],
    ["a$|b$", "[ab]$"],
    ["^(?:a|b)*$", "^[ab]*$"],
    ["^a.c$", "^a[^]c$"],
    ["^item-\\d+\\b", "^item-"],
    ["^\\p{Lu}x$", "x$"],
    ["^a*?$", "^a*$"],
    ["", "^"],
    ["^$", "$"],
    ["^a^", "b"],
    ["x", ""],
  ])("are proven: %s in %s", (own, other) => {
    expect(isPart(own, other)).toBe(true);
  });

  it.each<[string, string, string | undefined]>([
    ["^[A-Z]{3}$", "^[A-Z]{2}$", "AAA"],
    ["^[a-z]+$", "^[a-z]{1,3}$", "aaaa"],
    ["^a.c$", "^abc$", "aac"],
    ["a", "^a", "ba"],
    ["^a$", "^\\p{L}$", undefined],
    ["^a$", "\\ba", undefined],
  ])("are told from others by a text: %s in %s", (own, other, text) => {
    expect(createLanguages().find({ patterns: [own] }, other)).toBe(text);
  });

  it("are looked at together with lengths and with patterns that must not match", () => {
    const { find } = createLanguages();
    expect(find({ patterns: ["^a*$"], maxLength: 3 }, "^a{0,3}$")).toBeNull();
    expect(find({ patterns: ["^a*$"], minLength: 2 }, "aa")).toBeNull();
    expect(find({ patterns: ["^[a-z]{3}$"] }, { min: 3, max: 3 })).toBeNull();
    expect(find({ patterns: ["^[a-z]{2,3}$"] }, { min: 3, max: 3 })).toBe("aa");
    expect(find({ patterns: ["^[ab]$"], not: ["a"] }, "b")).toBeNull();
    expect(find({ patterns: ["^a", "^b"] })).toBeNull();
    expect(find({ patterns: ["^[ab]+$", "b$"], minLength: 3 })).toBe("aab");
  });

  const sign = fc.constantFrom(
    "a",
    "b",
    "[ab]",
    "[^a]",
    ".",
    "\\d",
    "\\w",
    "\\s",
    "c",
    "[a-c]",
    "^",
    "$",
    "\\n",
    "é",
    "😀",
  );
  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      sign,
      fc
        .tuple(
          sign.filter((each) => !"^$".includes(each)),
          fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{1,}", "*?"),
        )
        .map((all) => all.join("")),
      tie("pattern").map((inner) => `(${inner})`),
      tie("pattern").map((inner) => `(?:${inner})*`),
    ),
    pattern: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.array(tie("part"), { maxLength: 4 }).map((all) => all.join("")),
      fc.tuple(tie("pattern"), tie("pattern")).map((all) => all.join("|")),
      tie("pattern").map((inner) => `^(?:${inner})$`),
    ),
  }));
  const LETTERS = ["a", "b", "c", "1", " ", "\n", "é", "😀"];
  const words = (length: number): readonly string[] =>
    length === 0 ? [""] : words(length - 1).flatMap((word) => LETTERS.map((letter) => word + letter));
  const ALL = [0, 1, 2, 3].flatMap(words);

  it(
    "are never proven against a text, and never told apart by one that is none",
    () => {
      const counts = { proven: 0, found: 0, open: 0 };
      fc.assert(
        fc.property(pattern, pattern, fc.nat({ max: 3 }), (own, other, minLength) => {
          const [one, two] = [createSafePattern(own), createSafePattern(other)];
          if ("refused" in one || "refused" in two) return;
          const isAgainst = (text: string) => [...text].length >= minLength && one.test(text) && !two.test(text);
          const text = createLanguages().find({ patterns: [own], minLength }, other);
          counts[text === null ? "proven" : text === undefined ? "open" : "found"] += 1;
          if (text === null) expect(ALL.filter(isAgainst)).toEqual([]);
          if (typeof text === "string") expect(isAgainst(text), JSON.stringify(text)).toBe(true);
        }),
        { numRuns: RUNS },
      );
      process.stdout.write(`${JSON.stringify(counts)}\n`);
      expect(counts.open).toBeLessThan(RUNS / 100);
      expect(Math.min(counts.proven, counts.found)).toBeGreaterThan(RUNS / 20);
    },
    TIMEOUT,
  );

  it.each([
    ["^(a|b|ab)*c{1,300}$", "^(b|a|ba)*d{1,300}$"],
    ["(a|aa)+$", "^(a?){200}b"],
    ["^.*a.{12}$", "^.*b.{12}$"],
    ["(x+x+)+y", "(x+x+x+)+y"],
    [`${"[a-z]?".repeat(150)}z`, `${"[b-y]?".repeat(150)}y`],
    [`^(${Array.from({ length: 150 }, (_, at) => `k${at}`).join("|")})*$`, "^(k|1|2|3)*$"],
  ])("are answered in good time: %#", async (own, other) => {
    await expectQuick(400, () => createLanguages().find({ patterns: [own] }, other));
  });

  it("stop being looked at when all questions together took long", () => {
    const { find } = createLanguages();
    const answers = Array.from({ length: 60 }, (_, at) =>
      find({ patterns: [`^.*a.{${at + 6}}$`] }, `^.*b.{${at + 6}}$`),
    );
    expect(answers.at(-1)).toBeUndefined();
  });
});

describe("patterns of formats", () => {
  const digits = fc.stringMatching(/^\d{1,4}$/);
  const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
    date: fc
      .date({ noInvalidDate: true, min: new Date("0001-01-01"), max: new Date("9999-12-31") })
      .map((at) => at.toISOString().slice(0, 10)),
    "date-time": fc
      .tuple(
        fc.date({ noInvalidDate: true, min: new Date("0001-01-01"), max: new Date("9999-12-31") }),
        fc.constantFrom("T", "t", " ", "\u2003"),
      )
      .map(([at, sign]) => at.toISOString().replace("T", sign)),
    hostname: fc.oneof(
      fc.domain(),
      fc.domain().map((name) => `${name}.`),
      digits,
    ),
    ipv4: fc.oneof(
      fc.ipV4(),
      fc.tuple(digits, digits, digits, digits).map((all) => all.join(".")),
    ),
    "json-pointer": fc
      .array(fc.constantFrom("/", "a", "~0", "~1", "~", "\n", "😀"), { maxLength: 6 })
      .map((all) => all.join("")),
    time: fc.stringMatching(/^[012]\d:[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:[zZ]|[+-][01]\d:?[0-5]\d)$/),
    uuid: fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => `URN:uuid:${id.toUpperCase()}`),
      fc.uuid().map((id) => `${id}\n`),
    ),
  };

  it.each(Object.keys(FORMATS))("match all that the validators take: %s", (format) => {
    const check = compileSchema({ type: "string", format });
    const [source = ""] = toTexts({ ...TOPS.string, formats: new Set([format]) }).patterns;
    const compiled = createSafePattern(source);
    if ("refused" in compiled) throw new Error(compiled.refused);
    let taken = 0;
    fc.assert(
      fc.property(FORMATS[format] ?? fc.string(), (text) => {
        const isValid = check(text).length === 0;
        if (isValid) taken += 1;
        if (isValid || patternOf(format) !== undefined) expect([text, compiled.test(text)]).toEqual([text, isValid]);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
