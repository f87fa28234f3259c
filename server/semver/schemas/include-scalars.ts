import { areMultiples, areWhole, isAbove, isBelow, isCommon, isMultiple, tighten } from "./bounds.ts";
import { createOutcome, type Report } from "./include.ts";
import type { Languages, TextRule } from "./patterns/languages.ts";
import { patternOf, toTexts } from "./patterns/texts.ts";
import type { NumberShape, StringShape } from "./shape.ts";
import { countOf } from "./show.ts";

/** Proves that one shape of numbers is inside another, and reports each bound that is not. */
export function includesNumber(
  shape: NumberShape,
  other: NumberShape,
  path: readonly string[],
  report: Report,
): boolean {
  const outcome = createOutcome(report);
  const fail = (phrase: string, isRight: (value: number) => boolean) => {
    outcome.fail(path, "bound-narrowed", phrase, (value) => typeof value === "number" && !isRight(value));
  };
  const isWhole = areWhole(shape);
  const tight = tighten({ ...shape, integer: isWhole });
  const wide = isWhole ? tighten({ ...other, integer: true }) : tighten(other);
  const { min, max } = other;
  if (isAbove(wide.min, tight.min)) {
    const isRight = (value: number) => (min.exclusive ? value > min.at : value >= min.at);
    fail(`must now be ${min.exclusive ? "more than" : "at least"} ${min.at}`, isRight);
  }
  if (isBelow(wide.max, tight.max)) {
    const isRight = (value: number) => (max.exclusive ? value < max.at : value <= max.at);
    fail(`must now be ${max.exclusive ? "less than" : "at most"} ${max.at}`, isRight);
  }
  if (other.integer && !isWhole) fail("must now be a whole number", Number.isInteger);
  for (const multiple of other.multiples) {
    const isSure =
      shape.multiples.some((own) => areMultiples(own, multiple)) ||
      (isWhole && areMultiples(1, multiple)) ||
      isCommon(shape, multiple);
    if (!isSure) fail(`must now be a multiple of ${multiple}`, (value) => isMultiple(value, multiple) === true);
  }
  return outcome.holds;
}

/** Proves that one shape of texts is inside another, and reports each length, pattern and format that is not. */
export function includesString(
  shape: StringShape,
  other: StringShape,
  path: readonly string[],
  report: Report,
  languages: Languages,
): boolean {
  const outcome = createOutcome(report);
  const fail = (rule: "length-narrowed" | "pattern-narrowed", phrase: string, breaks?: (length: number) => boolean) => {
    outcome.fail(path, rule, phrase, breaks && ((value) => typeof value === "string" && breaks([...value].length)));
  };
  const { minLength, maxLength } = other;
  const texts = toTexts(shape);
  const meets = (rule: TextRule) => languages.find(texts, rule) === null;
  if (minLength > shape.minLength && !meets({ min: minLength, max: Infinity })) {
    fail(
      "length-narrowed",
      `must now have at least ${countOf(minLength, "character")}`,
      (length) => length < minLength,
    );
  }
  if (maxLength < shape.maxLength && !meets({ min: 0, max: maxLength })) {
    fail("length-narrowed", `must now have at most ${countOf(maxLength, "character")}`, (length) => length > maxLength);
  }
  for (const pattern of other.patterns) {
    if (!shape.patterns.has(pattern) && !meets(pattern)) {
      fail("pattern-narrowed", `must now match \`${pattern.slice(0, 80)}\``);
    }
  }
  for (const format of other.formats) {
    const pattern = patternOf(format);
    const isSure =
      shape.formats.has(format) ||
      [...shape.formats].some((own) => IMPLIED[own] === format) ||
      (pattern !== undefined && meets(pattern));
    if (!isSure) fail("pattern-narrowed", `must now have the format \`${format}\``);
  }
  return outcome.holds;
}

/** Formats that are part of others, as the validators check them. */
export const IMPLIED: Readonly<Record<string, string>> = { ipv4: "hostname", uri: "uri-reference" };
