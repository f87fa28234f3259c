import type { Json } from "../../../../store/store.ts";
import type { Bench } from "../../directives/bench.ts";
import { knowsValue, namesAny } from "../../directives/knows-value.ts";
import { toCase } from "../../directives/phrases/change-values.ts";
import type { Clause } from "../clause.ts";
import { has, toUnnamed } from "../drafts/draft.ts";
import { findFresh, pickApposed } from "../drafts/find-fresh.ts";
import { isForOther } from "../drafts/is-for-other.ts";
import { toAdding, toRemoving } from "../drafts/list-drafts.ts";
import type { Place, Places } from "../places/places.ts";
import { areCodes, isCodeWord, toCode } from "../../directives/codes.ts";
import { isNoValueAt, isPronoun } from "../words/is-value-word.ts";
import { COMMON } from "../words/common-words.ts";
import { findLanguage } from "../standing.ts";
import { PLAIN } from "../words/phrase-index.ts";
import { NEGATORS, STOP } from "../words/word-lists.ts";
import type { Guess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";
import { findSaid } from "./said-values.ts";
import type { Signs } from "./signs.ts";
import { countedWords, sideSigns, toSingular, verbsOf } from "./values/value-words.ts";
import { JOINT, renameValue } from "./values/value-runs.ts";

/** Words that point to values that are counted, by their number. */
const POINTING = /^(?:these|those|all)$/;
/** A word that may be a new value. */
interface Fresh {
  readonly value: Json;
  readonly at: number;
  readonly signs: Signs;
}

/** Another value of a field or a parameter, one less, or another name for one. Values that are there already show which field is meant. */
export function guessValues(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  const { thing, key } = place;
  const present = findSaid(clause, thing, places);
  const knows = toKnown(place, places);
  const fresh = findValues(clause, place, places, mood).map((one): Fresh => ({
    ...one,
    signs: { ...one.signs, ...(knows(one.value) === "named" ? { known: 1 } : {}) },
  }));
  const keys = clause.keys.get(key)?.flat() ?? [];
  const around: Signs = {
    ...(keys.length > 0 ? { key: 1 } : {}),
    ...sideSigns(clause, thing),
  };
  const id = `${place.file}#${place.at.join("/")}`;
  const [old, ...more] = new Set(present.map(({ value }) => value));
  const spots = present.map(({ at }) => at);
  const siblings: Signs = present.length === 0 ? {} : { siblings: Math.min(2, new Set(spots).size) };
  return [
    ...(mood.isRenamed && old !== undefined && more.length === 0 ? fresh : []).map(({ value, at, signs }): Guess => ({
      name: `${id} ${String(old)} > ${String(value)}`,
      signs: { renameValue: 1, ...around, ...signs, verb: 1, siblings: 1 },
      words: [at, ...spots, ...keys],
      core: [at],
      deed: renameValue(place, old ?? null, value, places),
    })),
    ...(pickApposed(clause, thing, places.version).length > 1
      ? [fresh]
      : [...fresh.map((one) => [one]), ...findRun(clause, fresh)]
    ).map((list): Guess => ({
      name: `${id} add ${JSON.stringify([...new Set(list.map(({ value }) => value))].sort())}`,
      signs: {
        addValue: 1,
        ...around,
        ...list[0]?.signs,
        ...siblings,
        ...(mood.isNew ? { verb: 1 } : {}),
        ...(mood.isGone || mood.isRenamed ? { against: 1 } : {}),
      },
      words: [...list.map(({ at }) => at), ...spots, ...keys, ...countedWords(clause, list.length, POINTING)],
      core: list.map(({ at }) => at),
      deed: (bench: Bench) =>
        toAdding(
          places,
          thing,
          list.map(({ value }) => value),
          true,
        )(bench),
    })),
    ...present.map(({ value, at, isOther }): Guess => ({
      name: `${id} remove ${JSON.stringify([value])}`,
      signs: {
        removeValue: 1,
        ...around,
        siblings: 1,
        ...(has(clause, "remove", "stop", "revoke") ? { verb: 1 } : mood.isGone ? { marked: 1 } : { noVerb: 1 }),
        ...(mood.isNew && !mood.isGone ? { against: 1 } : {}),
        ...(clause.tokens[at]?.kind === "quoted" ? { quoted: 1 } : {}),
        ...(isOther ? { otherWords: 1 } : {}),
        ...(NO.test(clause.tokens[at - 1]?.lower ?? "") ? { noMore: 1 } : {}),
      },
      words: [at, ...keys, ...verbsOf(clause, at)],
      core: [at],
      deed: (bench: Bench) => toRemoving(thing, [value])(bench),
    })),
  ];
}

/**
 * Tells how code would take a new value of a thing: it has the value's name; it has those of none of its values, and so passes
 * on whatever it is given; or it would not know it.
 */
function toKnown({ thing }: Place, { version }: Places): (value: Json) => "named" | "passed" | "unknown" {
  const tools =
    thing.tool === undefined
      ? [...version.tools.values()].filter(({ parameters }) => parameters.includes(thing.set?.name ?? ""))
      : [thing.tool];
  const isChosen = thing.tool === undefined || tools.some((tool) => namesAny(version, tool, thing.values));
  return (value) =>
    tools.every((tool) => knowsValue(version, tool, value, thing.values)) ? "named" : isChosen ? "unknown" : "passed";
}

/** Words right before what is not to be any more: "no cheques". */
const NO = /^(?:no|keine?|ningún|ninguna|aucune?|不要|没有)$/;
const DAYS =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|christmas|easter|january|february|march|april|may|june|july|august|september|october|november|december)$/i;
const FOREIGN: ReadonlySet<string> = new Set(["de", "es", "fr"]);
const AS_KIND = /^(?:as|als|como|comme)$/;
const AS = /^(?:as|als|como|comme|:|\+=|\(|called|named|namens|value|values|option)$/;

/** Values that are not there yet: what is quoted, marked as a value, written like one, or unknown to this version. */
function findValues(clause: Clause, place: Place, places: Places, mood: Mood): readonly Fresh[] {
  const { thing } = place;
  const apposed = pickApposed(clause, thing, places.version);
  if (apposed.length > 0) return apposed.map((one) => ({ ...one, signs: { marked: 1, quoted: 1 } }));
  const known = new Set(thing.values.map((value) => String(value).toLowerCase()));
  const found = new Map<string, Fresh>();
  const put = (text: string, at: number, signs: Signs) => {
    const isWord = clause.tokens[at]?.kind === "word";
    const value = toCase(isWord ? toSingular(text, thing.values) : text, thing.values);
    const key = String(value);
    found.set(key, { value, at, signs: { ...found.get(key)?.signs, ...signs } });
  };
  const isCoded = areCodes(thing.values);
  // "French" and "latin" are words for languages, and so is another one.
  const isOfWords = thing.values.some((value) => isCodeWord(String(value).toLowerCase()));
  const isGerman = findLanguage(clause.text) === "de" && !thing.values.some((value) => /^\p{Lu}/u.test(String(value)));
  const ownStems = new Set(thing.names.flat());
  const isName = (at: number) => clause.tokens[at]?.stems.some((stem) => ownStems.has(stem)) === true;
  const adds = clause.actions.get("add") ?? [];
  // "Accepted as a method" says what is done with it.
  const verbs = new Set([...clause.actions.values()].flat());
  const isKindred = (text: string) => {
    const [first = ""] = text.split(/[_-]/);
    return thing.values.some((value) => /[_-]/.test(String(value)) && String(value).split(/[_-]/)[0] === first);
  };
  const isLikeSiblings = (text: string) =>
    /[_-]/.test(text) && thing.values.some((value) => /[_-]/.test(String(value)));
  for (const { value, at } of findFresh(clause, toUnnamed(thing, 1), place, places)) {
    const { kind, lower = "", stems: [stem = ""] = [] } = clause.tokens[at] ?? {};
    const isOther =
      isNoValue(clause, at) ||
      (kind === "word" && (isCoded || (isCodeWord(lower) && !isOfWords) || COMMON.has(lower))) ||
      places.identifiers.has(lower) ||
      lower.includes(".") ||
      (lower.length > 3 && places.vocabulary.has(stem));
    if (!isOther) put(String(value), at, { marked: 1 });
  }
  for (const [at, { kind, text, lower, stems }] of clause.tokens.entries()) {
    if (known.has(lower) || isNoValue(clause, at)) continue;
    const code = isPronoun(clause, at) ? undefined : toCode(lower, thing.values);
    if (code !== undefined && kind !== "sign") put(code, at, { marked: 1 });
    if (isCoded || (kind === "word" && isCodeWord(lower) && !isOfWords)) continue;
    // German nouns have capitals, which values mostly have not.
    if (isGerman && kind === "word" && /^\p{Lu}/u.test(text)) continue;
    const isLatin = kind === "word" && /^[a-z][a-z0-9_-]+$/.test(text) && /\p{Script=Han}/u.test(clause.text);
    if (isLatin && !places.identifiers.has(lower) && !STOP.has(lower)) put(text, at, { marked: 1 });
    const isAs = AS.test(clause.tokens[at + 1]?.lower ?? "") && clause.tokens[at + 2]?.lower !== "well";
    const isBeside =
      AS.test(clause.tokens[at - 1]?.lower ?? "") || isAs || adds.includes(at - 1) || isName(at - 1) || isName(at + 1);
    if (kind === "quoted" && !/\s/.test(text)) put(text, at, { quoted: 1, ...(isBeside ? { marked: 1 } : {}) });
    else if (kind === "word" && /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+$/.test(text) && !places.identifiers.has(lower))
      put(text, at, {
        marked: 1,
        ...(isLikeSiblings(text) ? { quoted: 1 } : {}),
        ...(isKindred(text) ? { alike: 1 } : {}),
      });
    else if (
      kind === "word" &&
      stems.length === 1 &&
      /^[a-z]{3,}$/.test(lower) &&
      (!isCommon(lower, stems[0] ?? "", places) ||
        (isAs &&
          AS_KIND.test(clause.tokens[at + 1]?.lower ?? "") &&
          !STOP.has(lower) &&
          !COMMON.has(lower) &&
          !verbs.has(at)) ||
        (mood.isRenamed && thing.values.some((value) => isKin(lower, value))))
    )
      put(text, at, {
        ...(isBeside ? { marked: 1 } : { plain: 1 }),
        ...(isProper(clause, at) ? { proper: 1 } : {}),
      });
  }
  const own = [...found.values()].filter(({ at }) => !isForOther(clause, at, thing, places));
  return withoutTalk(clause, place, own);
}

/** New values in a row, with nothing but commas and the like between them: "es and nl". */
function findRun({ tokens }: Clause, fresh: readonly Fresh[]): readonly (readonly Fresh[])[] {
  const sorted = fresh.toSorted((one, other) => one.at - other.at);
  const isRun = sorted.every(({ at }, index) => {
    const before = sorted[index - 1]?.at ?? -1;
    const between = tokens.slice(before + 1, at);
    return index === 0 || (between.length > 0 && between.every(({ lower }) => JOINT.test(lower)));
  });
  return sorted.length > 1 && isRun ? [sorted] : [];
}

/** Tells whether a word is no value, or denies one. */
function isNoValue({ tokens, negators }: Clause, at: number): boolean {
  return (tokens[at]?.kind === "word" && negators.includes(at)) || isNoValueAt(tokens, at);
}

/** In languages whose words nothing lists, a word is no value beside one that is written as such, or marked. */
function withoutTalk({ text, tokens }: Clause, { thing }: Place, all: readonly Fresh[]): readonly Fresh[] {
  if (!FOREIGN.has(findLanguage(text) ?? "")) return all;
  const isWritten = tokens.some(({ text: own, kind }) => kind !== "sign" && thing.values.includes(own));
  const marked = all.filter(({ signs }) => signs.plain === undefined);
  return isWritten || marked.length > 0 ? marked : all;
}

/** Tells whether a word within a sentence is written as a name: "people ask for Klarna". */
function isProper({ tokens, text }: Clause, at: number): boolean {
  const { text: own = "" } = tokens[at] ?? {};
  const before = tokens[at - 1];
  return (
    !DAYS.test(own) &&
    /^\p{Lu}\p{L}*$/u.test(own) &&
    before !== undefined &&
    !/[.!?:]/.test(before.text) &&
    findLanguage(text) !== "de"
  );
}

/** Tells whether a word may be another form of a value: "warn" of `warning`. */
function isKin(lower: string, value: Json): boolean {
  const text = String(value).toLowerCase();
  return text !== lower && lower.length > 2 && (text.startsWith(lower) || lower.startsWith(text));
}

function isCommon(lower: string, stem: string, { vocabulary }: Places): boolean {
  return COMMON.has(lower) || STOP.has(lower) || NEGATORS.has(lower) || PLAIN.has(stem) || vocabulary.has(stem);
}
