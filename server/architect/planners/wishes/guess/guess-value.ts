import type { Json } from "../../../../store/store.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { has } from "../drafts/draft.ts";
import { setPlace } from "../drafts/scalar-drafts.ts";
import type { Place, Places } from "../places/places.ts";
import type { KeyWord } from "../words/key-words.ts";
import { type Amount, applyStep, toNumber } from "../words/values.ts";
import type { Mood } from "./mood.ts";
import { findSaid, findScattered } from "./said-values.ts";
import { findEnd, isDeniedNumber, limitSigns, presentSigns, whoseWords, wordsOfWaiting } from "./number-signs.ts";
import type { Signs } from "./signs.ts";

/** Something that a message may ask for, with the signs that it does. */
export interface Guess {
  /** Guesses of one name would do one thing. */
  readonly name: string;
  readonly deed: Deed;
  readonly signs: Signs;
  /** Words of the message that it explains. */
  readonly words: readonly number[];
  /** Of these, those that say the value, or the thing where it takes none: each wish of a message has its own. */
  readonly core?: readonly number[];
}

/** Keys of what an experiment goes on until. */
const WAITING: ReadonlySet<string> = new Set(["minSamples", "maxSamples", "evaluations"]);
const LIMITS: ReadonlySet<string> = new Set(["time", "cpu", "memory", "payload", "cost", "rate", "concurrency"]);
/** Words behind a number that only lengths of texts have. */
const LETTERS =
  /^(?:characters?|chars?|signs?|letters?|symbols?|glyphs?|zeichen|buchstaben|caracteres|letras|caractères|lettres|signes|个?字符?|字)$/;
/** Words between a value and the name that it stands near to, at most. */
export const NEAR = 4;

/** How a message says the key of a place: by it, by more than one word, or by that of another place of the thing. */
export function keySigns(clause: Clause, { key, isUsual }: Place, others: ReadonlySet<KeyWord>): Signs {
  const found = clause.keys.get(key);
  const other = [...clause.keys.keys()].some((one) => one !== key && others.has(one));
  return {
    ...(found === undefined ? {} : { key: 1 }),
    ...(found?.some(({ length }) => length > 1) === true ? { longKey: 1 } : {}),
    ...(found === undefined && other ? { otherKey: 1 } : {}),
    ...(isUsual === true ? { usual: 1 } : {}),
  };
}

const NUMBERS: ReadonlySet<KeyWord> = new Set<KeyWord>([
  ...([
    "default",
    "min",
    "max",
    "step",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
  ] as const),
  ...(["time", "cpu", "memory", "payload", "cost", "rate", "concurrency", "dailyCost", "quietDays"] as const),
  ...([
    "share",
    "floor",
    "delta",
    "epsilon",
    "minSamples",
    "maxSamples",
    "maxErrorRate",
    "maxDrop",
    "deadline",
    "sigma",
    "evaluations",
  ] as const),
]);
export const TEXTS: ReadonlySet<KeyWord> = new Set<KeyWord>([
  "title",
  "description",
  "instructions",
  "pattern",
  "default",
]);

/** The amounts of a message, and those without a unit also in the one of their neighbours: "four hours is too little, make it eight". */
export function withUnits(amounts: readonly Amount[]): readonly Amount[] {
  const unit = amounts.find((amount) => amount.unit !== undefined)?.unit;
  const bare = unit === undefined ? [] : amounts.filter((amount) => amount.unit === undefined);
  return [...amounts, ...bare.map((amount) => ({ ...amount, unit: unit ?? "" }))];
}

/** A number of a message as the value of a place, with the signs that it is meant for it. */
export function guessNumber(
  clause: Clause,
  place: Place,
  amount: Amount,
  mood: Mood,
  places: Places,
): readonly Guess[] {
  const { accepts, key, now, thing } = place;
  if (accepts.kind !== "number" || amount.role === "from") return [];
  const names = new Set([...thing.names.flat(), ...thing.owners]);
  const at = amount.tokens.at(-1) ?? 0;
  const isLength = LETTERS.test(clause.tokens[at + 1]?.lower ?? "");
  if (isLength && !key.endsWith("Length")) return [];
  const isStep = amount.role === "by" || amount.role === "factor";
  if (isStep && typeof now !== "number") return [];
  const own = toNumber(amount, accepts, names);
  const { goes = "open" } = amount;
  const goesUp = goes === "open" ? mood.isMore || !mood.isLess : goes === "up";
  const step = isStep ? applyStep(Number(now), amount, { isUp: goesUp, size: own?.value, accepts }) : undefined;
  const stepped = step && { value: step.value, isGuess: step.isOpen || amount.goes === "open" };
  const read = isStep ? stepped : own;
  if (read === undefined || read.value === now || (accepts.whole === true && !Number.isInteger(read.value))) return [];
  const isSame = (other: Amount) => toNumber(other, accepts, names)?.value === now;
  const present = withUnits(clause.amounts).filter(
    (other) => other !== amount && other.tokens[0] !== amount.tokens[0] && isSame(other),
  );
  const isSaid = clause.keys.has(key);
  const limit = limitSigns(clause, place, amount);
  const end = findEnd(clause, amount);
  const isEnd = end?.has(key) === true;
  if (now === undefined && !isSaid && !isEnd && limit.inTime === undefined) return [];
  const keys = clause.keys.get(key)?.flat() ?? [];
  const isUnit = amount.unit !== undefined && accepts.unit !== "plain" && !read.isGuess;
  const isUp = typeof now === "number" && read.value > now;
  const isUpper = !key.startsWith("min") && key !== "default";
  const against = isUp ? mood.isLess && !mood.isMore : mood.isMore && !mood.isLess;
  const leap = typeof now === "number" && now > 0 && read.value > 0 ? Math.abs(Math.log10(read.value / now)) : 0.3;
  const isNear = isEnd || keys.some((word) => Math.abs(word - at) <= NEAR);
  const signs: Signs = {
    number: 1,
    ...keySigns(clause, place, NUMBERS),
    ...(end === undefined ? {} : isEnd ? { key: 1, marked: 1 } : { otherKey: 1 }),
    ...presentSigns(clause, place, present, places),
    ...limit,
    ...(isUnit || isStep ? { unit: 1 } : {}),
    ...(isLength ? { letters: 1 } : {}),
    ...(LIMITS.has(key) && !isSaid && limit.inTime === undefined && amount.unit === undefined ? { noUnit: 1 } : {}),
    ...(isUp && isUpper && mood.isMore ? { up: 1 } : {}),
    ...(!isUp && isUpper && mood.isLess ? { down: 1 } : {}),
    // "Must not be below 5" says where the end is, and no direction.
    ...(against && !isEnd ? { against: 1 } : {}),
    ...(now === undefined ? { unset: 1 } : {}),
    ...(thing.field?.side === "output" ? { output: 1 } : {}),
    ...(read.isGuess || isDeniedNumber(clause, amount) ? { unsure: 1 } : {}),
    ...(isNear ? { near: 1 } : {}),
    ...(clause.amounts.at(-1)?.tokens[0] === amount.tokens[0] ? { last: 1 } : {}),
    ...(thing.kind === "agent" ? { agent: 1 } : {}),
    leap,
  };
  const words = [
    ...amount.tokens,
    ...present.flatMap(({ tokens }) => tokens),
    ...keys,
    ...whoseWords(clause, place),
    ...(WAITING.has(key) ? wordsOfWaiting(clause, key, amount) : []),
    ...(isEnd ? clause.negators : []),
  ];
  return [toGuess(place, read.value, signs, words, amount.tokens)];
}

/** One of the values that a place can have. */
export function guessChoice(
  clause: Clause,
  place: Place,
  values: readonly Json[],
  { isGone, isNew }: Mood,
  places: Places,
): readonly Guess[] {
  const said = findSaid(clause, { ...place.thing, values }, places);
  const items = said.length > 0 ? said : findScattered(clause, place.thing, values);
  const present = items.filter(({ value }) => value === place.now);
  const keys = clause.keys.get(place.key)?.flat() ?? [];
  return items.flatMap(({ value, at, isOther }) =>
    value === place.now
      ? []
      : [
          toGuess(
            place,
            value,
            {
              choice: 1,
              ...keySigns(clause, place, TEXTS),
              ...(present.length > 0 ? { now: 1 } : {}),
              ...(isGone || isNew ? { against: 1 } : {}),
              ...(has(clause, "set", "replace", "promote") ? { verb: 1 } : {}),
              ...(clause.tokens[at]?.kind === "quoted" ? { quoted: 1 } : {}),
              ...(place.now === undefined ? { unset: 1 } : {}),
              ...(isOther ? { otherWords: 1 } : {}),
            },
            [at, ...present.map((item) => item.at), ...keys],
            [at],
          ),
        ],
  );
}

/** A guess that gives a place a value. */
export function toGuess(
  place: Place,
  value: Json,
  signs: Signs,
  words: readonly number[],
  core: readonly number[] = words,
): Guess {
  return {
    core,
    name: `${place.file}#${place.at.join("/")}=${JSON.stringify(value)}`,
    signs,
    words,
    deed: (bench) => setPlace(bench, place, value),
  };
}
