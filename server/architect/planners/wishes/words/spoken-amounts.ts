import { UNITS } from "./units.ts";
import { NUMERALS, words } from "./word-lists.ts";
import type { Token } from "./words.ts";

/** A number that takes several words, with its unit and how many tokens say it. */
interface Spoken {
  readonly value: number;
  readonly unit?: string;
  readonly length: number;
}

/** A number with the tokens that say it. */
interface Placed {
  readonly value: number;
  readonly unit?: string;
  readonly tokens: readonly number[];
}

const HALF = words("half halbe halber halben halbes media medio demi demie 半");
const QUARTER = words("quarter quarters viertel cuarto cuartos quart quarts");
const AND = words("and und y et");
const ONE = words("a an one ein eine einem einen einer un una une 1");
const THOUSAND = 1000;
/** Words that multiply the number before them. */
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  hundert: 100,
  cien: 100,
  ciento: 100,
  cent: 100,
  cents: 100,
  thousand: THOUSAND,
  tausend: THOUSAND,
  mil: THOUSAND,
  mille: THOUSAND,
  million: 1_000_000,
};
/** Words between a number and its unit that change nothing: "a whole day". */
const FILLED = words("whole full entire good ganzer ganzen ganze entero entera entier entière");
const OUT_OF = words("in of out von de cada sur auf");
/** Times in one word, in minutes. */
const COMPOUNDS: Readonly<Record<string, number>> = {
  viertelstunde: 15,
  halbstunde: 30,
  dreiviertelstunde: 45,
  fortnight: 20_160,
};
const ORDINALS: Readonly<Record<string, number>> = {
  other: 2,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  eighth: 8,
  tenth: 10,
  twentieth: 20,
  fiftieth: 50,
  hundredth: 100,
  zweite: 2,
  dritte: 3,
  vierte: 4,
  fünfte: 5,
  zehnte: 10,
  zwanzigste: 20,
};
/** The most that one of so many can be. */
const MOST = 1000;

/** A number that is said by several words from a token on: "an hour and a half", "three quarters of an hour", "one in ten". */
export function spokenAt(tokens: readonly Token[], at: number): Placed | undefined {
  const found =
    compoundAt(tokens, at) ??
    quartersAt(tokens, at) ??
    halvedAt(tokens, at) ??
    hundredsAt(tokens, at) ??
    wholeAt(tokens, at) ??
    partAt(tokens, at);
  if (found === undefined) return undefined;
  const { length, ...said } = found;
  return { ...said, tokens: Array.from({ length }, (_, index) => at + index) };
}

function compoundAt(tokens: readonly Token[], at: number): Spoken | undefined {
  const value = COMPOUNDS[lowerAt(tokens, at)];
  return value === undefined ? undefined : { value, unit: "minutes", length: 1 };
}

/** "A quarter of an hour", "three quarters of a year", "tres cuartos de hora" */
function quartersAt(tokens: readonly Token[], at: number): Spoken | undefined {
  const isBare = QUARTER.has(lowerAt(tokens, at));
  const count = isBare || ONE.has(lowerAt(tokens, at)) ? 1 : countAt(tokens, at);
  const quarter = isBare ? at : at + 1;
  if (count === undefined || !QUARTER.has(lowerAt(tokens, quarter))) return undefined;
  const unit = unitBehind(tokens, quarter + 1);
  return unit === undefined ? undefined : { value: count / 4, unit: unit.name, length: unit.at + 1 - at };
}

/** "Half an hour", "an hour and a half", "two and a half hours", "media hora" */
function halvedAt(tokens: readonly Token[], at: number): Spoken | undefined {
  const start = ONE.has(lowerAt(tokens, at)) && HALF.has(lowerAt(tokens, at + 1)) ? at + 1 : at;
  if (HALF.has(lowerAt(tokens, start))) {
    const unit = unitBehind(tokens, start + 1);
    return unit === undefined ? undefined : { value: 0.5, unit: unit.name, length: unit.at + 1 - at };
  }
  const count = ONE.has(lowerAt(tokens, at)) ? 1 : countAt(tokens, at);
  if (count === undefined && unitAt(tokens, at) === undefined) return undefined;
  const own = unitAt(tokens, count === undefined ? at : at + 1);
  const and = count === undefined || own === undefined ? at + 1 : at + 2;
  if (!AND.has(lowerAt(tokens, and))) return undefined;
  const half = ONE.has(lowerAt(tokens, and + 1)) ? and + 2 : and + 1;
  if (!HALF.has(lowerAt(tokens, half))) return undefined;
  const behind = own ?? unitAt(tokens, half + 1);
  const length = half + 1 - at + (own === undefined && behind !== undefined ? 1 : 0);
  return { value: (count ?? 1) + 0.5, length, ...(behind === undefined ? {} : { unit: behind }) };
}

/** "A hundred and twenty", "two thousand five hundred", "ein hundert", with a unit behind it or none. */
function hundredsAt(tokens: readonly Token[], at: number): Spoken | undefined {
  let [next, sum, count] = [at, 0, 0];
  let hasScale = false;
  for (let isFirst = true; ; isFirst = false) {
    const word = lowerAt(tokens, next);
    const scale = isFirst && NUMERALS[word] === undefined ? undefined : SCALES[word];
    const value = isFirst && ONE.has(word) && SCALES[lowerAt(tokens, next + 1)] !== undefined ? 1 : NUMERALS[word];
    if (scale === undefined && (value === undefined || tokens[next]?.kind !== "word")) {
      const isJoined = hasScale && AND.has(word) && NUMERALS[lowerAt(tokens, next + 1)] !== undefined;
      if (!isJoined) break;
    } else if (scale === undefined) count += value ?? 0;
    else {
      hasScale = true;
      count = Math.max(1, count) * scale;
      if (scale >= THOUSAND) [sum, count] = [sum + count, 0];
    }
    next += 1;
  }
  if (!hasScale) return undefined;
  const unit = unitAt(tokens, next);
  return {
    value: sum + count,
    length: next + (unit === undefined ? 0 : 1) - at,
    ...(unit === undefined ? {} : { unit }),
  };
}

/** "A whole day" */
function wholeAt(tokens: readonly Token[], at: number): Spoken | undefined {
  const unit = unitAt(tokens, at + 2);
  return ONE.has(lowerAt(tokens, at)) && FILLED.has(lowerAt(tokens, at + 1)) && unit !== undefined
    ? { value: 1, unit, length: 3 }
    : undefined;
}

/** "One in ten", "1 of 100 cases", "one call in fifty", "every tenth" */
function partAt(tokens: readonly Token[], at: number): Spoken | undefined {
  const nth = /^(?:every|jede\w?)$/.test(lowerAt(tokens, at)) ? ORDINALS[lowerAt(tokens, at + 1)] : undefined;
  if (nth !== undefined) return unitAt(tokens, at + 2) === undefined ? toPart(1, nth, 2) : undefined;
  const count = /^(?:one|eine?r?|una?|une)$/.test(lowerAt(tokens, at)) ? 1 : countAt(tokens, at);
  if (count === undefined) return undefined;
  const from = [1, 2].find((step) => OUT_OF.has(lowerAt(tokens, at + step)));
  if (from === undefined || (from === 2 && unitAt(tokens, at + 1) !== undefined)) return undefined;
  const steps = ["of", "cada"].includes(lowerAt(tokens, at + from + 1)) ? from + 2 : from + 1;
  const all = countAt(tokens, at + steps);
  const isShare = all !== undefined && all > count && all <= MOST && Number.isInteger(all) && all >= 5;
  return isShare && unitAt(tokens, at + steps + 1) === undefined ? toPart(count, all, steps + 1) : undefined;
}

function toPart(count: number, all: number, length: number): Spoken {
  return { value: Number(((100 * count) / all).toPrecision(6)), unit: "%", length };
}

function countAt(tokens: readonly Token[], at: number): number | undefined {
  const { kind, value, unit, lower = "" } = tokens[at] ?? {};
  if (kind === "number" && unit === undefined) return value;
  const numeral = kind === "word" && Object.hasOwn(NUMERALS, lower) ? NUMERALS[lower] : undefined;
  return numeral !== undefined && numeral >= 1 ? numeral : undefined;
}

/** The unit behind small words: "of an hour", "de hora". */
function unitBehind(
  tokens: readonly Token[],
  from: number,
): { readonly name: string; readonly at: number } | undefined {
  let at = from;
  while (at < from + 2 && /^(?:of|an?|de|d|einer|eine)$/.test(lowerAt(tokens, at))) at += 1;
  const name = unitAt(tokens, at);
  return name === undefined ? undefined : { name, at };
}

function unitAt(tokens: readonly Token[], at: number): string | undefined {
  const { kind, lower = "" } = tokens[at] ?? {};
  const isUnit = kind === "word" && lower.length > 1 && Object.hasOwn(UNITS, lower);
  return isUnit && ["time", "day", "size", "mass"].includes(UNITS[lower]?.of ?? "") ? lower : undefined;
}

function lowerAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? "";
}
