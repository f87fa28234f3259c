import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFuel } from "../../../server/json/fuel.ts";
import { createSafePattern } from "../../../server/json/safe-pattern.ts";
import { expectQuick } from "../../helpers/expect-quick.ts";

const RUNS = process.env["CAIRN_LONG"] ? 100_000 : 2000;

function compile(source: string) {
  const pattern = createSafePattern(source);
  if ("refused" in pattern) throw new Error(`${source} ${pattern.refused}`);
  return pattern;
}

/** Signs that the two languages treat differently, or that need escapes, and both halves of an astral character. */
const SIGNS = [
  ..."abz019_- \t\n\r\v\f\\^$.*+?()[]{}|/éſK漢😀\u2028\u00a0\ufeff\u200b\u0085\u17f0\0\x1f\x7fAZ",
  "\ud83d",
  "\ude00",
];
const ESCAPES = [
  ..."\\d \\D \\w \\W \\s \\S \\t \\n \\r \\v \\f \\0 \\x41 \\u0061 \\u{1F600} \\uD83D\\uDE00 \\ud83d \\cA \\cj".split(
    " ",
  ),
  ..."\\/ \\p{L} \\P{Lu} \\p{Nd} \\p{Script=Greek} \\p{sc=Han} \\p{gc=L} \\p{General_Category=Lu}".split(" "),
];

const text = fc.array(fc.constantFrom(...SIGNS), { maxLength: 8 }).map((signs) => signs.join(""));
const inClass = fc.oneof(
  fc.constantFrom(...SIGNS).map((sign) => (/[\\\][^-]/.test(sign) ? `\\${sign}` : sign)),
  fc.constantFrom(...ESCAPES),
  fc.constantFrom(
    "a-z",
    "0-9",
    "\\b",
    "\\x00-\\x1f",
    "^",
    "\\u{1F600}-\\u{1F64F}",
    "\\-",
    "&&",
    "[:alpha:",
    "{1,2}",
    "(?:",
    "(?=",
    "(?<n>",
    "a{2}",
  ),
);
const atom = fc.oneof(
  fc.constantFrom(...SIGNS).map((sign) => (/[\^$\\.*+?()[\]{}|/]/.test(sign) ? `\\${sign}` : sign)),
  fc.constantFrom(...ESCAPES),
  fc.constantFrom(".", "^", "$", "\\b", "\\B"),
  fc
    .tuple(fc.boolean(), fc.array(inClass, { maxLength: 4 }), fc.boolean())
    .map(([negated, items, dash]) => `[${negated ? "^" : ""}${items.join("")}${dash ? "-" : ""}]`),
);
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie("node"), tie("node")).map((parts) => parts.join("")),
    fc.tuple(tie("node"), tie("node")).map((parts) => `(?:${parts.join("|")})`),
    fc
      .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{0,3}", "{1,}", "*?", "??", "+?"))
      .map(([node, quantifier]) => `(${node})${quantifier}`),
  ),
})).node;

describe("a safe pattern", () => {
  it("matches where JavaScript's own engine does", () => {
    let compared = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
        let native: RegExp;
        try {
          native = new RegExp(source, "u");
        } catch {
          return;
        }
        const safe = compile(source);
        for (const sample of texts) {
          // V8 looks for `\B` also in the middle of an astral character, against the specification.
          if (source.includes("\\B") && /[\u{10000}-\u{10ffff}]/u.test(sample)) continue;
          expect([source, sample, safe.test(sample)]).toEqual([source, sample, native.test(sample)]);
          compared++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS);
  });

  it.each(["L", "Lu", "Ll", "M", "N", "Nd", "P", "S", "Z", "Zs", "Script=Greek", "Script=Latin", "Script=Han"])(
    "knows the same characters as JavaScript under \\p{%s}",
    (property) => {
      const safe = compile(`^\\p{${property}}$`);
      const native = new RegExp(`^\\p{${property}}$`, "u");
      const step = process.env["CAIRN_LONG"] ? 1 : 7;
      const different: number[] = [];
      for (let code = 0; code <= 0x10ffff; code += step) {
        const character = String.fromCodePoint(code);
        if (safe.test(character) !== native.test(character)) different.push(code);
      }
      expect(different).toEqual([]);
    },
  );

  it("reads groups with names, quantifiers of all kinds and empty alternatives", () => {
    for (const source of [
      "(?<year>\\d{4})-(?<month>\\d\\d)",
      "(a|)b??c{0,2}?",
      "()*",
      "[]|a",
      "[^]",
      "[(?:{1,2}]+$",
      "^[(?<=]",
    ]) {
      const native = new RegExp(source, "u");
      for (const sample of ["2025-06", "abcc", "", "a", "\n"]) {
        expect(compile(source).test(sample)).toBe(native.test(sample));
      }
    }
  });

  it.each([
    ["(a+)+$", "a".repeat(50_000) + "!"],
    ["^(?:a|aa)+$", "a".repeat(50_000) + "!"],
    ["^(?:.*,){20}x$", "a,".repeat(25_000)],
    ["\\s+$", " ".repeat(100_000) + "x"],
  ])("answers %s within a second where backtracking takes for ever", async (source, hostile) => {
    expect(await expectQuick(1000, () => compile(source).test(hostile))).toBe(false);
  });

  it("burns fuel by its size and the length of the text, and stops when there is none", () => {
    const costly = createSafePattern("[ab]*a[ab]{900}[cd]", createFuel());
    if ("refused" in costly) throw new Error(costly.refused);
    expect(costly.test("ab".repeat(1000))).toBe(false);
    expect(() => costly.test("ab".repeat(500_000))).toThrow(RangeError);
  });

  it.each([
    ["(?=a)", "looks ahead"],
    ["(?!a)", "looks ahead"],
    ["(?<=a)b", "looks behind"],
    ["(?<!a)b", "looks behind"],
    ["(a)\\1", "refers back to a group"],
    ["(?<n>a)\\k<n>", "refers back to a group"],
    ["(?i:a)", "switches flags"],
    ["\\p{Emoji}", "asks for the property"],
    ["\\p{Script_Extensions=Greek}", "asks for the property"],
    ["a{1001}", "repeats more than 1000 times"],
    ["(", "is no regular expression"],
    ["\\-", "is no regular expression"],
    ["a{,3}", "is no regular expression"],
    ["a".repeat(1001), "is longer than 1000 characters"],
  ])("refuses %s, which %s", (source, reason) => {
    const refused = createSafePattern(source);
    expect("refused" in refused && refused.refused).toContain(reason);
  });
});
