import type { Json } from "../../../../store/store.ts";
import type { Bench } from "../../directives/bench.ts";
import { toCase } from "../../directives/phrases/change-values.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { toUnnamed } from "../drafts/draft.ts";
import { findFresh, findItems } from "../drafts/find-fresh.ts";
import { toAdding, toRemoving } from "../drafts/list-drafts.ts";
import { setPlace } from "../drafts/scalar-drafts.ts";
import type { Place, Places } from "../places/places.ts";
import { PLAIN } from "../words/phrase-index.ts";
import { findText } from "../words/texts.ts";
import { type Amount, toNumber } from "../words/values.ts";
import { NEGATORS, STOP, UNITS } from "../words/word-lists.ts";
import type { Mood } from "./mood.ts";

/** Something that a message may ask for, by no more than the words, the values and the mood that it shares with a place. */
export interface Guess {
  readonly name: string;
  readonly deed: Deed;
  /** How well it fits; comparable within one message. */
  readonly score: number;
}

/** How much it tells that a message names the present value, the key, a unit that fits, the direction. */
export const FIT = { present: 2.5, key: 1.5, unit: 1.5, mood: 1, usual: 0.5, against: -1.5 } as const;
const LIMITS: ReadonlySet<string> = new Set(["time", "cpu", "memory", "payload", "cost", "rate", "concurrency"]);
/** Words behind a number that only lengths of texts have. */
const LETTERS = /^(?:characters?|chars?|signs|letters|zeichen|caracteres|caractères|个?字符?)$/;
const FREE = /\b(?:free|kostenlos|gratis|gratuite?)\b|免费/i;

/** The values that a message may give to a place. */
export function guessPlace(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  const { accepts } = place;
  const said = clause.keys.has(place.key) ? FIT.key : 0;
  switch (accepts.kind) {
    case "number":
      if (place.key === "cost" && FREE.test(clause.text) && place.now !== 0) return [toGuess(place, 0, FIT.key)];
      return withUnits(clause.amounts).flatMap((amount) => guessNumber(clause, place, amount, mood));
    case "choice":
      return findItems(clause, accepts.values).flatMap(({ value }) =>
        value === place.now ? [] : [toGuess(place, value, said + (place.isUsual === true ? FIT.usual : 0))],
      );
    case "boolean":
      return said > 0 || (place.key === "default" && (clause.keys.has("default") || clause.negators.length > 0))
        ? [toGuess(place, place.now !== true, said)]
        : [];
    case "text": {
      const given = clause.keys.has(place.key)
        ? findText(clause, clause.keys.get(place.key)?.flat(), place.now)
        : undefined;
      const fresh = given?.value ?? (place.key === "title" ? findTitle(clause, place.now) : undefined);
      return fresh === undefined ? [] : [toGuess(place, fresh, given === undefined ? FIT.present : said)];
    }
    case "list":
      return accepts.of === "value" ? guessValues(clause, place, mood, places) : [];
    default:
      return [];
  }
}

const CALLED =
  /(?:\b(?:label|call|name|title) it|\bshould (?:read|be|say)|\bto(?: read)?|->|→)\s*:?\s*["'“‘`]?(\p{Lu}[^"'”’`.!()]*)/u;

/** Another title, where the present one is in the message. */
function findTitle({ text, tokens }: Clause, now: Json | undefined): string | undefined {
  if (typeof now !== "string" || now === "" || !text.includes(now)) return undefined;
  const rest = text.slice(text.indexOf(now) + now.length);
  const quoted = tokens.filter((token) => token.kind === "quoted" && token.text !== now);
  return (quoted.length === 1 ? quoted[0]?.text : CALLED.exec(rest)?.[1])?.trim();
}

/** The amounts of a message, and those without a unit also in the one of their neighbours: "four hours is too little, make it eight". */
function withUnits(amounts: readonly Amount[]): readonly Amount[] {
  const unit = amounts.find((amount) => amount.unit !== undefined && UNITS[amount.unit]?.of !== "share")?.unit;
  const bare = unit === undefined ? [] : amounts.filter((amount) => amount.unit === undefined);
  return [...amounts, ...bare.map((amount) => ({ ...amount, unit: unit ?? "" }))];
}

function guessNumber(clause: Clause, place: Place, amount: Amount, mood: Mood): readonly Guess[] {
  const { accepts, key, now, thing } = place;
  if (accepts.kind !== "number" || amount.role !== "to") return [];
  const names = new Set([...thing.names.flat(), ...thing.owners]);
  const isLength = LETTERS.test(clause.tokens[(amount.tokens.at(-1) ?? 0) + 1]?.lower ?? "");
  if (isLength && !key.endsWith("Length")) return [];
  const read = toNumber(amount, accepts, names);
  if (read === undefined || read.value === now || (accepts.whole === true && !Number.isInteger(read.value))) return [];
  const isPresent = clause.amounts.some((other) => other !== amount && toNumber(other, accepts, names)?.value === now);
  const isSaid = clause.keys.has(key);
  if (now === undefined && !isSaid) return [];
  const isPlainLimit = LIMITS.has(key) && !isSaid && amount.unit === undefined;
  const isDefault = thing.kind === "agent" && !isSaid;
  const unlikely = [isPlainLimit, isDefault, now === undefined, thing.field?.side === "output", read.isGuess].filter(
    Boolean,
  ).length;
  const isUnit = amount.unit !== undefined && accepts.unit !== "plain" && !read.isGuess;
  const isUp = typeof now === "number" && read.value > now;
  const isUpper = !key.startsWith("min") && key !== "default";
  const way = isUp ? mood.isMore && isUpper : mood.isLess && isUpper;
  const against = isUp ? mood.isLess && !mood.isMore : mood.isMore && !mood.isLess;
  return [
    toGuess(
      place,
      read.value,
      (isPresent && now !== undefined ? FIT.present : 0) +
        (isSaid ? FIT.key : 0) +
        (isUnit || isLength ? FIT.unit : 0) +
        (way ? FIT.mood : against ? FIT.against : 0) +
        (place.isUsual === true ? FIT.usual : 0) +
        unlikely * FIT.against,
    ),
  ];
}

function toGuess(place: Place, value: Json, score: number): Guess {
  return {
    name: `${place.file}#${place.at.join("/")}=${JSON.stringify(value)}`,
    score,
    deed: (bench) => setPlace(bench, place, value),
  };
}

/** Another value of a field or a parameter, or one less. Values that are there already show which field is meant. */
function guessValues(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  const { thing } = place;
  const present = findItems(clause, thing.values);
  const base = Math.min(present.length, 2) + (thing.field?.side === "output" ? FIT.against : 0);
  const fresh = findValues(clause, place, places);
  const [old, ...more] = present;
  return [
    ...(mood.isRenamed && old !== undefined && more.length === 0 ? fresh : []).map(({ value }) => ({
      name: `${thing.id} ${String(old?.value)} > ${String(value)}`,
      score: base + FIT.mood + FIT.key,
      deed: async (bench: Bench) => {
        await toAdding(places, thing, [value], true)(bench);
        await toRemoving(thing, [old?.value ?? null])(bench);
      },
    })),
    ...fresh.map(({ value, isMarked }) => ({
      name: `${thing.id} + ${String(value)}`,
      score: base + (mood.isNew ? FIT.mood : 0) + (isMarked ? FIT.mood : 0) + (mood.isGone ? FIT.against : 0),
      deed: (bench: Bench) => toAdding(places, thing, [value], true)(bench),
    })),
    ...(mood.isGone
      ? present.map(({ value }) => ({
          name: `${thing.id} - ${String(value)}`,
          score: base + FIT.mood,
          deed: (bench: Bench) => toRemoving(thing, [value])(bench),
        }))
      : []),
  ];
}

/** Values that are not there yet: quoted ones alone; else those that are marked as such, and words that this version does not know. */
function findValues(clause: Clause, place: Place, places: Places): readonly { value: Json; isMarked: boolean }[] {
  const { thing } = place;
  const known = new Set(thing.values.map((value) => String(value).toLowerCase()));
  const quoted = clause.tokens.filter(
    ({ kind, text, lower }) => kind === "quoted" && !/\s/.test(text) && !known.has(lower),
  );
  if (quoted.length > 0) return quoted.map(({ text }) => ({ value: toCase(text, thing.values), isMarked: true }));
  const own = new Set(thing.names.flat());
  const isName = (at: number) => clause.tokens[at]?.stems.some((stem) => own.has(stem)) === true;
  const marked = findFresh(clause, toUnnamed(thing, 1), place, places).flatMap(({ value, at }) => {
    const { lower = "", stems: [stem = ""] = [] } = clause.tokens[at] ?? {};
    const isOther =
      places.identifiers.has(lower) || lower.includes(".") || (lower.length > 3 && places.vocabulary.has(stem));
    return isOther ? [] : [{ value, isMarked: true }];
  });
  const fresh = clause.tokens.flatMap(({ kind, stems: [stem = "", ...more], lower, text }, at) =>
    kind === "word" &&
    more.length === 0 &&
    /^[a-z]{3,}$/.test(lower) &&
    !isCommon(lower, stem, places) &&
    !known.has(lower)
      ? [{ value: toCase(text, thing.values), isMarked: isName(at - 1) || isName(at + 1) }]
      : [],
  );
  const written = [...marked, ...fresh].filter(({ value }) => /[_-]/.test(String(value)));
  if (written.length > 0) return written.slice(0, 1);
  const beside = fresh.filter(({ isMarked }) => isMarked);
  return [...marked, ...(beside.length > 0 ? beside : fresh.length === 1 ? fresh : [])];
}

function isCommon(lower: string, stem: string, { vocabulary }: Places): boolean {
  return STOP.has(lower) || NEGATORS.has(lower) || PLAIN.has(stem) || vocabulary.has(stem);
}
