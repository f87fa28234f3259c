import type { Json } from "../../../../../store/store.ts";
import { addFieldValues, removeFieldValues } from "../../../directives/phrases/change-values.ts";
import type { Deed } from "../../../directives/phrase.ts";
import type { Clause } from "../../clause.ts";
import { has } from "../../drafts/draft.ts";
import { toAdding, toRemoving } from "../../drafts/list-drafts.ts";
import type { Place, Places } from "../../places/places.ts";
import { STOP } from "../../words/word-lists.ts";
import { placesIn } from "../../words/words.ts";
import type { Guess } from "../guess-value.ts";
import type { Mood } from "../mood.ts";
import type { Signs } from "../signs.ts";
import { countedWords } from "./value-words.ts";

/** Words and signs between the values of a list. */
export const JOINT = /^(?:,|、|\/|and|or|nor|und|oder|y|e|o|et|ou|和|或)$/;
const RID = /\b(?:rid of|throw out)\b/i;
const KEPT = /\b(?:keep only|only keep|leave only|are all we need)\b/i;
/** Behind a list of values that are to stay. */
const ENOUGH =
  /^(?:(?:are|is|were|would be|will be) (?:quite |more than |plenty )?(?:enough|sufficient|all we need|fine|plenty)|suffices?|(?:all |both |have to |may |can |should |are to )?(?:stay|remain)s?\b|will do|(?:do(?:es)?|will do) the (?:job|trick|work)|(?:is|are) all (?:that )?(?:we|it|people) needs?|only(?=\s*(?:[.,;!)]|$))|bleiben|restent|quedan|reichen|genügen|bastan|suffisent)\b/i;
const LOWER = /\b(?:lower[- ]?case|small letters)\b|klein ?geschrieben|Kleinbuchstaben|minúsculas?|minuscules?|小写/i;
const UPPER =
  /\b(?:upper[- ]?case|capitals?|capital letters|shouted)\b|groß ?geschrieben|Großbuchstaben|mayúsculas?|majuscules?|大写/i;
const QUOTE = String.raw`[\x60"'“”„«»‘’「」]?\s*`;
const WORD = String.raw`(?<![A-Za-z0-9_-])${QUOTE}(?<fresh>[A-Za-z][\w-]*)${QUOTE}`;
/** Words around another name for a value. */
const CALLED: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:\b(?:called|named?|renamed?(?: it)? (?:to|as)|(?:call|name) (?:it|that|this|them)|(?:should|must|ought to|has to|better) (?:be|read|say|become)|say|spel(?:led|t)|becomes?|turn(?:s|ed)? into|soll(?:te)? (?:lieber |besser )?|lieber|devenir|devient|s['’]appeler|debería (?:ser|decir|llamarse)|llamarse|llamarlo|que diga|por)\s+|(?:->|→|=>|改[叫为成]|换成)\s*)${WORD}`,
    "giu",
  ),
  new RegExp(
    String.raw`${WORD}(?:\b(?:would|will|might) (?:be|do|fit|read|say)\b|\b(?:is|fits|reads|says) (?:\w+ )?(?:better|clearer|plainer|nicer)|\b(?:instead of|rather than|in place of|anstelle von|anstatt|statt|en lugar de|en vez de|au lieu de|plutôt que|heißen)\b)`,
    "giu",
  ),
];

/** A list of values that is to go, or another name for one, as the construction of the wish says it. */
export function guessRuns(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  return [...guessGone(clause, place, mood), ...guessCalled(clause, place, mood, places)];
}

/** "Get rid of CRITICAL, HIGH and LOW", "keep only card and invoice", "only those in lower case" */
function guessGone(clause: Clause, place: Place, mood: Mood): readonly Guess[] {
  const { thing } = place;
  const isVerb = has(clause, "remove", "stop", "revoke") || RID.test(clause.text);
  const isKept = KEPT.test(clause.text);
  if (!mood.isGone && !isVerb && !isKept) return [];
  const runs = findRuns(clause, thing.values);
  const kept = runs.find((one) => ENOUGH.test(textBehind(clause, one)));
  const run = runs.filter((one) => one !== kept).sort((one, other) => other.length - one.length)[0] ?? [];
  // "No typescript any more, javascript only": what goes and what stays are all that there is.
  const isSplit = kept !== undefined && run.length > 0 && kept.length + run.length === thing.values.length;
  const listed = run.length > 1 || isSplit ? run.map(({ value }) => value) : [];
  const cased = findCased(clause, thing.values);
  const rest = thing.values.filter((value) => !listed.includes(value));
  const gone = cased.length > 1 ? cased : isKept && !isVerb && listed.length > 0 ? rest : listed;
  if (gone.length === 0 || gone.length >= thing.values.length || (gone.length < 2 && !isKept && !isSplit)) return [];
  const words = [
    ...[...run, ...(kept ?? [])].map(({ at }) => at),
    ...sayings(clause, gone.length, cased.length > 1),
    ...(isSplit ? clause.negators : []),
    ...(clause.actions.get("remove") ?? []),
  ];
  return [
    {
      name: `${place.file}#${place.at.join("/")} remove ${JSON.stringify([...gone].sort())}`,
      signs: {
        removeValue: 1,
        siblings: 2,
        quoted: 1,
        alike: 1,
        ...(isVerb || isKept || isSplit ? { verb: 1 } : { rough: 1 }),
      },
      words: [...words, ...(clause.keys.get(place.key)?.flat() ?? [])],
      core: words,
      deed: (bench) => toRemoving(thing, gone)(bench),
    },
  ];
}

/** Words that point to values that are counted, by their number. */
const THESE = /^(?:the|these|those|all|die|diese|los|las|estos|les|ces)$/;
const SPELLING = /^(?:spellings?|versions?|variants?|forms?|ones?|letters?|values?|cased?)$/;

/** Words that say how many values go, and how those are written: "remove the two", "the upper-case spellings". */
function sayings(clause: Clause, count: number, isCased: boolean): readonly number[] {
  const { tokens, text } = clause;
  const counted = countedWords(clause, count, THESE);
  if (!isCased) return counted;
  const cased = [LOWER, UPPER].flatMap((pattern) => {
    const found = pattern.exec(text);
    return found === null ? [] : placesIn(tokens, { start: found.index, end: found.index + found[0].length });
  });
  const spelling = tokens.flatMap(({ lower }, at) => (cased.includes(at - 1) && SPELLING.test(lower) ? [at] : []));
  return [...counted, ...cased, ...spelling];
}

type Run = readonly { readonly value: Json; readonly at: number }[];

/** The lists of values as they are written, with nothing but commas and the like between them. */
function findRuns({ tokens }: Clause, values: readonly Json[]): readonly Run[] {
  const runs: { value: Json; at: number }[][] = [[]];
  for (const [at, { text, lower, kind }] of tokens.entries()) {
    const value = kind === "sign" ? undefined : values.find((own) => String(own) === text);
    if (value !== undefined) runs.at(-1)?.push({ value, at });
    else if (!JOINT.test(lower)) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

function textBehind({ text, tokens }: Clause, run: Run): string {
  return text.slice(tokens[run.at(-1)?.at ?? 0]?.end).trimStart();
}

/** Values that differ from others by capitals alone, where a message says which are to stay or to go. */
function findCased({ text }: Clause, values: readonly Json[]): readonly Json[] {
  const isDouble = (value: Json) =>
    values.some((other) => other !== value && String(other).toLowerCase() === String(value).toLowerCase());
  const isLowerKept = LOWER.test(text);
  if (!isLowerKept && !UPPER.test(text)) return [];
  return values.filter((value) => isDouble(value) && String(value) !== String(value).toLowerCase());
}

/** "`ignore` is misread, none would be the better word" */
function guessCalled(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  const { thing } = place;
  const { tokens, text } = clause;
  const spots = tokens.flatMap(({ text: own, kind }, at) =>
    kind !== "sign" && thing.values.includes(own) ? [at] : [],
  );
  const olds = new Set(spots.map((at) => tokens[at]?.text ?? ""));
  const [old = ""] = olds;
  const isSaid = mood.isRenamed || /\b(?:better|instead|rather)\b/i.test(text);
  if (olds.size !== 1 || !isSaid) return [];
  const found = new Map<string, readonly number[]>();
  for (const pattern of CALLED)
    for (const { index, 0: whole, groups } of text.matchAll(pattern)) {
      const fresh = groups?.["fresh"] ?? "";
      const start = text.indexOf(fresh, index);
      const at = tokens.findIndex(({ start: from, end }) => from <= start && end >= start + fresh.length);
      const isTalk = STOP.has(fresh.toLowerCase()) && fresh !== "none" && tokens[at]?.kind !== "quoted";
      const isOwn = thing.names.some((name) => name.length === 1 && tokens[at]?.stems.includes(name[0] ?? "") === true);
      if (at < 0 || isTalk || isOwn || thing.values.includes(fresh) || places.version.tools.has(fresh)) continue;
      found.set(fresh, placesIn(tokens, { start: index, end: index + whole.length }));
    }
  return [...found].map(([fresh, words]) => ({
    ...toValueRename(place, old, fresh, places, clause.keys.has(place.key) ? { key: 1 } : {}),
    words: [...words, ...spots, ...(clause.actions.get("rename") ?? []), ...(clause.actions.get("replace") ?? [])],
    core: words.filter((at) => tokens[at]?.text === fresh),
  }));
}

/** Makes a guess that a value gets another name, with signs of its own besides those that all such guesses have. */
export function toValueRename(
  place: Place,
  old: Json,
  fresh: string,
  places: Places,
  own: Signs,
): Pick<Guess, "name" | "signs" | "deed"> {
  return {
    name: `${place.file}#${place.at.join("/")} ${String(old)} > ${fresh}`,
    signs: {
      renameValue: 1,
      verb: 1,
      contrast: 1,
      marked: 1,
      siblings: 1,
      quoted: 1,
      ...(place.thing.field?.side === "output" ? { output: 1 } : {}),
      ...own,
    },
    deed: renameValue(place, old, fresh, places),
  };
}

/** Gives a value another name, also where it is the default of a field. */
export function renameValue({ thing }: Place, old: Json, fresh: Json, places: Places): Deed {
  const { field } = thing;
  return async (bench) => {
    if (field === undefined) {
      await toAdding(places, thing, [fresh], true)(bench);
      await toRemoving(thing, [old])(bench);
      return;
    }
    await addFieldValues(places.version, field, [fresh], { isOffered: true })(bench);
    const isDefault = field.schema["default"] === old;
    if (isDefault) {
      await bench.set(field.tool.file, [...field.path, "default"], fresh);
      bench.say(`The default of ${thing.label} is \`${String(fresh)}\`.`);
    }
    const renamed = isDefault ? { ...field, schema: { ...field.schema, default: fresh } } : field;
    await removeFieldValues(renamed, [old])(bench);
  };
}
