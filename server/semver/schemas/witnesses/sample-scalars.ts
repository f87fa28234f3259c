import type { Json } from "../../../json/types.ts";
import type { Languages, TextRule } from "../patterns/languages.ts";
import { toTexts } from "../patterns/texts.ts";
import type { NumberShape, StringShape } from "../shape.ts";

/** The longest text that is tried. */
const LENGTH_LIMIT = 20_000;
/** Patterns of the other schema that are aimed at. */
const AIM_LIMIT = 3;
const PLAIN_NUMBERS = [0, 1, -1, 0.5, 2, 7, 100, 1_000_003];

/** Numbers at, and beside, the bounds of the shape and of another. */
export function sampleNumbers(shape: NumberShape, aim: NumberShape | undefined): readonly number[] {
  const all = aim === undefined ? [shape] : [shape, aim];
  const bounds = all.flatMap(({ min, max }) => [min.at, max.at]).filter(Number.isFinite);
  const steps = all.flatMap(({ multiples }) => multiples);
  const near = [...bounds, 0].flatMap((at) => [
    at,
    at - 1,
    at + 1,
    at - 0.5,
    at + 0.5,
    ...steps.flatMap((step) => [at - step, at + step, at + step / 2, at + step / 3]),
  ]);
  const middle = bounds.length > 1 ? [(Math.min(...bounds) + Math.max(...bounds)) / 2] : [];
  const [step = shape.integer ? 1 : undefined] = shape.multiples;
  const common = shape.multiples.length > 1 ? [shape.multiples.reduce((product, each) => product * each)] : [];
  const candidates = [...near, ...middle, ...common, ...PLAIN_NUMBERS];
  const snapped =
    step === undefined ? [] : candidates.map((at) => Number((Math.round(at / step) * step).toPrecision(12)));
  return [...new Set([...candidates, ...snapped])].filter(Number.isFinite).map((number) => number + 0);
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: "2024-02-29",
  "date-time": "2024-02-29T12:00:00Z",
  duration: "P1DT2H",
  email: "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  "json-pointer": "/a/0",
  regex: "^a+$",
  "relative-json-pointer": "1/a",
  time: "12:00:00Z",
  uri: "https://example.com/a",
  "uri-reference": "/a?b",
  "uri-template": "https://example.com/{a}",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

const WORDS = ["a", "A", "abc", "ABC", "0", "1", "12345", "a1", "a-b", "a_b", "a.b", " ", "1.0.0", "é", "x".repeat(64)];

/** Texts of the lengths at the edges of both, and texts that formats and patterns often ask for. */
export function sampleStrings(shape: StringShape, aim: StringShape | undefined, languages: Languages): readonly Json[] {
  const others = aim === undefined ? [] : [aim];
  const lengths = [
    shape.minLength,
    shape.maxLength,
    ...others.flatMap((hint) => [hint.minLength - 1, hint.maxLength + 1]),
  ];
  const texts = lengths
    .filter((length) => length >= shape.minLength && length <= Math.min(shape.maxLength, LENGTH_LIMIT))
    .flatMap((length) => ["a", "0", "A"].map((letter) => letter.repeat(length)));
  const formats = [...shape.formats, ...others.flatMap((hint) => [...hint.formats])].flatMap(
    (format) => EXAMPLES[format] ?? [],
  );
  const found = shape.patterns.size + (aim?.patterns.size ?? 0) > 0 ? findTexts(shape, aim, languages) : [];
  return [...new Set([...texts, ...found, ...formats, ...WORDS, ...Object.values(EXAMPLES)])];
}

/** Texts of the shape that each pattern, length and format of the other refuses, and the shortest that none does. */
function findTexts(shape: StringShape, aim: StringShape | undefined, { find }: Languages): readonly string[] {
  const own = toTexts(shape);
  const theirs = aim === undefined ? { patterns: [] } : toTexts(aim);
  const lengths = aim === undefined ? [] : [{ min: aim.minLength, max: aim.maxLength }];
  const rules: readonly (TextRule | undefined)[] = [undefined, ...theirs.patterns.slice(0, AIM_LIMIT), ...lengths];
  const both = { ...own, patterns: [...own.patterns, ...theirs.patterns] };
  return [...rules.map((rule) => find(own, rule)), find(both)].filter((text) => typeof text === "string");
}
