import type { Json } from "../../../../store/store.ts";
import type { Accepts } from "../places/places.ts";
import { boundAt } from "./bounds.ts";
import { isSingle } from "./is-single.ts";
import { roleOf, stepAt } from "./role-of.ts";
import { spokenAt } from "./spoken-amounts.ts";
import { UNITS } from "./units.ts";
import { NUMERALS } from "./word-lists.ts";
import { toStem, type Token } from "./words.ts";

/** A number with its unit. */
export interface Amount {
  readonly value: number;
  /** As written; absent without a unit. */
  readonly unit?: string;
  readonly role: "to" | "from" | "by" | "factor";
  /** Where a step goes, which its words may leave open; absent where only the verb says so, or there is no step. */
  readonly goes?: "up" | "down" | "open";
  readonly tokens: readonly number[];
}

const FACTORS: Readonly<Record<string, number>> = {
  double: 2,
  doubled: 2,
  twice: 2,
  triple: 3,
  quadruple: 4,
  halve: 0.5,
  halved: 0.5,
  verdopple: 2,
  verdoppeln: 2,
  halbiere: 0.5,
  duplica: 2,
  duplicar: 2,
  doublez: 2,
  doubler: 2,
  加倍: 2,
  翻倍: 2,
  减半: 0.5,
};
/** Parts in percent: "half of the conversations". */
const PARTS: Readonly<Record<string, number>> = { half: 50, quarter: 25, fifth: 20, tenth: 10 };

/** The numbers of a clause, in digits and in words, with what they are said to be: a new value, a present one, or a step. */
export function findAmounts(tokens: readonly Token[]): readonly Amount[] {
  const amounts: Amount[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const found = amountAt(tokens, at);
    if (found === undefined) continue;
    const end = found.tokens.at(-1) ?? at;
    const step = found.role === undefined ? stepAt(tokens, at, end) : undefined;
    if (step !== undefined)
      amounts.push({ ...found, role: "by", goes: step.goes, tokens: [...found.tokens, ...step.said] });
    else amounts.push({ ...found, role: found.role ?? roleOf(tokens, at, end) });
    at = end;
  }
  return amounts;
}

/** What is counted before a list, and fractions: "two things: ...", "two thirds of that". */
const NO_NUMBER =
  /^(?:things?|wishes|points?|requests|ideas|suggestions|remarks|complaints|nits|wünsche|dinge|punkte|cosas|choses|sachen|thirds|quarters|fifths|tenths|drittel|viertel|tercios|cuartos|tiers|quarts)$/;

type Found = Omit<Amount, "role"> & { readonly role?: Amount["role"] };

function amountAt(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const spoken = spokenAt(tokens, at);
  if (spoken !== undefined) return spoken;
  if (token.kind === "number" && token.value !== undefined) return withUnit(tokens, at, at, token.value, token.unit);
  if (token.kind !== "word") return undefined;
  if (token.lower === "half" && tokens[at - 1]?.lower === "in")
    return { value: 0.5, role: "factor", tokens: [at - 1, at] };
  if (Object.hasOwn(FACTORS, token.lower)) return { value: FACTORS[token.lower] ?? 1, role: "factor", tokens: [at] };
  const part = PARTS[token.lower];
  const isOf = tokens[at + 1]?.lower === "of";
  if (part !== undefined && isOf && /^(?:that|it|this|those|them)$/.test(tokens[at + 2]?.lower ?? ""))
    return { value: part / 100, role: "factor", tokens: [at, at + 1, at + 2] };
  if (part !== undefined && isOf) return { value: part, unit: "%", tokens: [at] };
  if (token.lower === "half" && /^(?:as|the|it|its|of)$/.test(tokens[at + 1]?.lower ?? "")) return undefined;
  if (isSingle(tokens, at)) return withUnit(tokens, at, at, 1, undefined);
  const isNumeral = Object.hasOwn(NUMERALS, token.lower);
  if (!isNumeral || (token.lower === "one" && isPronoun(tokens, at)) || NO_NUMBER.test(tokens[at + 1]?.lower ?? ""))
    return undefined;
  let value = NUMERALS[token.lower] ?? 0;
  let end = at;
  for (
    let next = NUMERALS[tokens[end + 1]?.lower ?? ""];
    next !== undefined;
    next = NUMERALS[tokens[end + 1]?.lower ?? ""]
  ) {
    value = next >= 100 || tokens[end + 1]?.lower === "dozen" ? value * next : value + next;
    end += 1;
  }
  return withUnit(tokens, at, end, value, undefined);
}

/** "One" mostly means somebody or something: it counts before a unit, behind what says that a value follows, and as a bound. */
function isPronoun(tokens: readonly Token[], at: number): boolean {
  const isCounted = boundAt(tokens, at, at) !== undefined || Object.hasOwn(UNITS, tokens[at + 1]?.lower ?? "");
  return (
    !isCounted &&
    !["to", "=", ":", "than", "be"].includes(tokens[at - 1]?.lower ?? "") &&
    !["to", "=", ":"].includes(tokens[at - 1]?.text ?? "")
  );
}

function withUnit(tokens: readonly Token[], from: number, end: number, value: number, unit: string | undefined): Found {
  const all = (last: number) => Array.from({ length: last - from + 1 }, (_, index) => from + index);
  if (unit !== undefined) return { value, unit, tokens: all(end) };
  const next = tokens[end + 1];
  if (next?.kind === "sign" && next.text === "%") return { value, unit: "%", tokens: all(end + 1) };
  if (
    next?.kind !== "word" ||
    !Object.hasOwn(UNITS, next.lower) ||
    next.lower.length === 1 ||
    UNITS[next.lower]?.of === "plain"
  )
    return { value, tokens: all(end) };
  return { value, unit: next.lower, tokens: all(end + 1) };
}

/** Stems in the names of what is weighed. */
const HEAVY = ["kg", "kilo", "kilogram", "weight", "mass", "load"].map(toStem);

/** Converts an amount to the unit of a place; undefined where it has another kind of unit. `isGuess`: its unit is a guess. */
export function toNumber(
  { value, unit }: Amount,
  accepts: Accepts & { kind: "number" },
  names: ReadonlySet<string>,
): { readonly value: number; readonly isGuess: boolean } | undefined {
  const { of, factor } =
    unit === undefined ? { of: undefined, factor: 1 } : (UNITS[unit] ?? { of: undefined, factor: 1 });
  const sure = (result: number) => ({ value: round(result), isGuess: false });
  const inMilliseconds = of === "time" || of === "day" ? value * factor : undefined;
  switch (accepts.unit) {
    case "ms":
      if (inMilliseconds !== undefined) return sure(inMilliseconds);
      return of === undefined ? (value < 100 ? { value: round(value * 1000), isGuess: true } : sure(value)) : undefined;
    case "s":
      return inMilliseconds !== undefined ? sure(inMilliseconds / 1000) : of === undefined ? sure(value) : undefined;
    case "days":
      return inMilliseconds !== undefined
        ? sure(inMilliseconds / 86_400_000)
        : of === undefined
          ? sure(value)
          : undefined;
    case "bytes":
      return of === "size" ? sure(value * factor) : of === undefined ? sure(value) : undefined;
    case "MB":
      return of === "size" ? sure((value * factor) / 1024 ** 2) : of === undefined ? sure(value) : undefined;
    case "share":
      if (of === "share") return sure(value * factor);
      if (of !== undefined && of !== "plain") return undefined;
      return value > 1 && value <= 100 ? { value: round(value / 100), isGuess: true } : sure(value);
    default:
      if (inMilliseconds !== undefined) return toNamedUnit(inMilliseconds, names);
      if (of === "mass") {
        const isGrams = names.has("g") || names.has("gram");
        return {
          value: round(value * factor * (isGrams ? 1000 : 1)),
          isGuess: !isGrams && !HEAVY.some((name) => names.has(name)),
        };
      }
      if (unit === "k") return sure(value * 1000);
      if (of === "size")
        return names.has("mb")
          ? sure((value * factor) / 1024 ** 2)
          : names.has("kb")
            ? sure((value * factor) / 1024)
            : names.has("byt") || names.has("bytes")
              ? sure(value * factor)
              : undefined;
      if (of === "share") return names.has("perc") || names.has("percent") ? sure(value) : sure(value / 100);
      return sure(value);
  }
}

const NAMED: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msec|milli.*)$/, 1],
  [/^(?:s|sec|secs|second)$/, 1000],
  [/^(?:m|min|minut)$/, 60_000],
  [/^(?:h|hour|hr)$/, 3_600_000],
  [/^(?:d|day)$/, 86_400_000],
];

/** A time for a number whose name says its unit: `cache_seconds`. */
function toNamedUnit(
  milliseconds: number,
  names: ReadonlySet<string>,
): { value: number; isGuess: boolean } | undefined {
  const unit = NAMED.find(([pattern]) => [...names].some((name) => pattern.test(name)));
  return unit === undefined ? undefined : { value: round(milliseconds / unit[1]), isGuess: false };
}

/**
 * A present number changed by a step, of `size` in its own unit, or a factor; undefined where the step has another kind of unit.
 * `isOpen`: five percent more of a share may be five points more.
 */
export function applyStep(
  now: number,
  { value, unit, role }: Amount,
  { isUp, size, accepts }: { readonly isUp: boolean; readonly size: number | undefined; readonly accepts: Accepts },
): { readonly value: number; readonly isOpen: boolean } | undefined {
  const isPart = UNITS[unit ?? ""]?.of === "share";
  if (size === undefined && unit !== undefined && !isPart) return undefined;
  if (role === "factor") return { value: round(now * value), isOpen: false };
  const by = isPart ? now * value * 0.01 : (size ?? value);
  const isShare = accepts.kind === "number" && accepts.unit === "share";
  return { value: round(isUp ? now + by : now - by), isOpen: isPart && isShare };
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return (
    one === other ||
    (one !== undefined && other !== undefined && String(one).toLowerCase() === String(other).toLowerCase())
  );
}
