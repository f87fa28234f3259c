import { speaksOfPresent } from "../samples/find-example.ts";
import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import { has, hasNoun } from "../drafts/draft.ts";
import { isOfField, isOnlyKey } from "../words/of-field.ts";
import { findText } from "../words/texts.ts";
import { bare, findMore, findQuotedTexts, findTitles, findWords, type FreshText } from "./fresh-texts.ts";
import { type Guess, keySigns, TEXTS, toGuess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";
import { missingSigns } from "./missing-signs.ts";

/** Words that people have for the texts of a tool, besides those for the keys. */
const WORDS: Readonly<Partial<Record<Place["key"], RegExp>>> = {
  title:
    /\b(?:(?:en|re)?titled?|headings?|label(?:led|s)?|captions?|headlines?|called|call it|shown|shows? up|appears?|menu|over (?:it|that|the)|Überschrift\w*|Titel|Beschriftung\w*|heißt|título\w*|titul\w+|encabezado|titre\w*|intitul\w+|appel\w+|s['’]appelle)\b|标题|名称/i,
  description:
    /\b(?:descri\w+|help|blurb|texts?|explain\w*|explanation\w*|wording|summary|docs?|notes?|hints?|remarks?|sentence|line|about (?:it|them)sel(?:f|ves)|what (?:it|[\w.]+|the [\w ]{2,20}) says?|reads?|gibberish|Beschreibung|Hinweis|Text|Hilfe\w*|Erklärung|descripción|explicación|ayuda|aviso|notice|aide|texte|explication)\b|说明|描述|帮助|文字/i,
  instructions: /\b(?:instructions?|guidance|told|rules?|Anweisung\w*|instrucciones|consignes?)\b|指令/i,
};

/** Another title or description: what is quoted, what follows a word that says so, another number or word, or what is to be mentioned. */
export function guessText(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  const { key, now } = place;
  const keys = clause.keys.get(key)?.flat() ?? [];
  const said = WORDS[key];
  if (said === undefined) return keys.length === 0 ? [] : guessGiven(clause, place, keys);
  const isSaid = keys.length > 0 || said.test(clause.text);
  // "The description of goods should say ..." is of no title, whatever it is now.
  const other = key === "title" ? "description" : key === "description" ? "title" : undefined;
  if (!isSaid && other !== undefined && clause.keys.has(other)) return [];
  const present = typeof now === "string" ? now : "";
  const isPresent = present !== "" && clause.text.toLowerCase().includes(bare(present));
  const isExample = place.thing.kind === "example" && !hasNoun(clause, "example");
  const quoted = findQuotedTexts(clause, present, places.texts);
  const isMeant = isSaid || isPresent || mood.isText || quoted.some(({ kind }) => kind === "part");
  // "Describe the first example as ..." is of no text of its tool.
  if (place.thing.kind !== "example" && !isSaid && speaksOfPresent(clause)) return [];
  if (isExample || !isMeant || isOnlyKey(clause, place, keys) || isOfField(clause, place)) return [];
  const texts: readonly FreshText[] = [
    ...guessNumbers(clause, present),
    ...quoted.flatMap((text) => fitTo(text, place, isSaid || isPresent, mood)),
    ...(key === "title" ? findTitles(clause, places.texts) : []),
    ...(present === "" || isPresent ? [] : findWords(clause, present)),
    ...(key === "title" ? [] : findMore(clause, present, mood.isMoreText)),
  ];
  return [
    ...(keys.length === 0 ? [] : guessGiven(clause, place, keys)),
    ...guessEach(clause, place, places),
    ...texts.flatMap((text) => {
      const parts = [...text.parts, ...(isPresent ? [bare(present)] : [])];
      const own = tokensOf(clause, text.parts);
      const also = tokensOf(clause, parts);
      return text.value === present || own.length === 0
        ? []
        : [
            toGuess(
              place,
              text.value,
              {
                ...signsOf(clause, place),
                ...(isSaid ? { key: 1 } : {}),
                ...(isPresent ? { now: 1 } : text.kind === "part" ? { now: 0.8 } : {}),
                ...(text.isLoose ? { loose: 1 } : { quoted: 1 }),
                ...(text.kind === "more" || (text.isLoose && keys.length > 0) ? { marked: 1 } : {}),
                ...(isSaid || isPresent ? {} : { noKey: 1 }),
                ...(text.kind === "more" ? {} : missingSigns(clause, place, own)),
              },
              [...keys, ...wordsOf(clause, said), ...also],
              own,
            ),
          ];
    }),
  ];
}

/** "Titles: 'A' for x, 'B' for y": of as many quoted texts as tools are named, in turn, the one of this tool. */
function guessEach(clause: Clause, place: Place, { version }: Places): readonly Guess[] {
  const { tokens } = clause;
  const keys = clause.keys.get(place.key)?.flat() ?? [];
  const quoted = tokens.flatMap(({ kind }, at) => (kind === "quoted" ? [at] : []));
  const tools = tokens.flatMap(({ lower }, at) => (version.tools.has(lower) ? [at] : []));
  const own = tools.findIndex((at) => tokens[at]?.lower === place.thing.tool?.name);
  const at = quoted[own];
  const name = tools[own];
  const inTurn = [...quoted, ...tools].sort((one, other) => one - other);
  const isInTurn = inTurn.every(
    (one, order) => quoted.includes(one) !== quoted.includes(inTurn[order + 1] ?? -1) || order === inTurn.length - 1,
  );
  if (place.thing.kind !== "tool" || keys.length === 0 || at === undefined || name === undefined) return [];
  if (quoted.length < 2 || quoted.length !== tools.length || !isInTurn) return [];
  const text = tokens[at]?.text ?? "";
  return text === "" || text === place.now
    ? []
    : [
        toGuess(
          place,
          text,
          { text: 1, ...keySigns(clause, place, TEXTS), quoted: 1, siblings: 1 },
          [...keys, at, name],
          [at],
        ),
      ];
}

/** A quoted text as what a key has: a few words are a title, and what is to be said besides follows what is there. */
function fitTo(text: FreshText, { key, now }: Place, isMeant: boolean, mood: Mood): readonly FreshText[] {
  if (text.kind !== "whole") return [text];
  const isSentence = /[.。]$/.test(text.value) || text.value.length > 60;
  if (!isMeant && (isSentence === (key === "title") || !/^[\p{Lu}\p{Script=Han}]/u.test(text.value))) return [];
  if (key === "title") return isSentence || /^\p{Ll}/u.test(text.value) ? [] : [text];
  const isMore = mood.isMoreText && typeof now === "string" && now !== "";
  return isMore ? [text, { ...text, value: `${now.trimEnd()} ${text.value}`, kind: "more" }] : [text];
}

/** A text that the words for its key give. */
function guessGiven(clause: Clause, place: Place, keys: readonly number[]): readonly Guess[] {
  const given = findText(clause, keys, place.now);
  if (given === undefined || given.value === place.now) return [];
  const isQuoted = given.tokens.some((at) => clause.tokens[at]?.kind === "quoted");
  return [
    toGuess(
      place,
      given.value,
      {
        ...signsOf(clause, place),
        ...keySigns(clause, place, TEXTS),
        ...(isQuoted ? { quoted: 1 } : {}),
        ...missingSigns(clause, place, given.tokens),
      },
      [...keys, ...given.tokens],
      given.tokens,
    ),
  ];
}

function signsOf(clause: Clause, { thing }: Place) {
  return {
    text: 1,
    ...(has(clause, "rename", "describe") ? { verb: 1 } : {}),
    ...(thing.kind === "agent" ? { agent: 1 } : {}),
    ...(thing.field?.side === "output" ? { output: 1 } : {}),
    ...(thing.kind !== "example" && speaksOfPresent(clause) ? { otherWords: 1 } : {}),
  };
}

/** The present text with another number in it. */
function guessNumbers({ amounts, text }: Clause, now: string): readonly FreshText[] {
  const pattern = (value: number) => new RegExp(`(?<![\\d.,])${value}(?![\\d]|[.,]\\d)`);
  const [from, ...more] = amounts.filter(({ value }) => pattern(value).test(now));
  const [to, ...others] = amounts.filter(({ value }) => !pattern(value).test(now));
  if (from === undefined || to === undefined || more.length > 0 || others.length > 0) return [];
  const value = now.replace(pattern(from.value), String(to.value));
  return [
    {
      value,
      parts: [String(from.value), String(to.value)].filter((one) => text.includes(one)),
      kind: "part",
      isLoose: false,
    },
  ];
}

/** The tokens that some parts of a clause are made of. */
function tokensOf({ text, tokens }: Clause, parts: readonly string[]): readonly number[] {
  const spans = parts.flatMap((part) => {
    const start = text.toLowerCase().indexOf(part.toLowerCase());
    return start < 0 ? [] : [{ start, end: start + part.length }];
  });
  return tokens.flatMap((token, at) =>
    spans.some(({ start, end }) => token.start < end && token.end > start) ? [at] : [],
  );
}

function wordsOf({ text, tokens }: Clause, pattern: RegExp): readonly number[] {
  const found = [...text.matchAll(new RegExp(pattern, "giu"))];
  return tokens.flatMap(({ start, end, kind }, at) =>
    kind === "word" && found.some(({ index, 0: match }) => start < index + match.length && end > index) ? [at] : [],
  );
}
