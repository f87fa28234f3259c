import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import { has } from "../drafts/draft.ts";
import { findText } from "../words/texts.ts";
import { type Guess, keySigns, TEXTS, toGuess } from "./guess-value.ts";

const CALLED =
  /(?:\b(?:[Ll]abel|[Cc]all|[Nn]ame|[Tt]itle) it|\bshould (?:read|be|say)|\bto(?: read)?|->|→)\s*:?\s*["'“‘`]?(\p{Lu}[^"'”’`.!()]*)/u;

/** Another title or description: what is quoted, what follows a word that says so, another number, or what is to be mentioned. */
export function guessText(clause: Clause, place: Place, places: Places): readonly Guess[] {
  return [...guessOne(clause, place), ...guessEach(clause, place, places)];
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

function guessOne(clause: Clause, place: Place): readonly Guess[] {
  const keys = clause.keys.get(place.key)?.flat() ?? [];
  const said = keys.length > 0 ? findText(clause, keys, place.now) : undefined;
  const given = said?.value === place.now ? undefined : said;
  const fresh =
    given?.value ??
    (place.key === "title" ? findTitle(clause, place.now, keys) : undefined) ??
    (keys.length === 0 ? findQuoted(clause, place) : undefined);
  const isPresent = typeof place.now === "string" && place.now !== "" && clause.text.includes(place.now);
  if (fresh === undefined) return keys.length === 0 ? [] : guessPart(clause, place, keys);
  if (fresh === place.now) return [];
  const quoted = clause.tokens.flatMap(({ kind, text }, at) =>
    kind === "quoted" && (String(fresh).includes(text) || (isPresent && text === place.now)) ? [at] : [],
  );
  const start = clause.text.indexOf(String(fresh));
  const within = clause.tokens.flatMap((token, at) =>
    start >= 0 && token.start >= start && token.end <= start + String(fresh).length ? [at] : [],
  );
  const now = isPresent ? clause.text.indexOf(String(place.now)) : -1;
  const old = clause.tokens.flatMap((token, at) =>
    now >= 0 && token.start >= now && token.end <= now + String(place.now).length ? [at] : [],
  );
  return [
    toGuess(
      place,
      fresh,
      {
        text: 1,
        ...keySigns(clause, place, TEXTS),
        ...(isPresent ? { now: 1 } : {}),
        ...(quoted.length > 0 ? { quoted: 1 } : {}),
        ...(keys.length === 0 && !isPresent ? { noKey: 1 } : {}),
        ...(has(clause, "rename", "describe") ? { verb: 1 } : {}),
        ...(place.thing.kind === "agent" ? { agent: 1 } : {}),
        ...(place.thing.field?.side === "output" ? { output: 1 } : {}),
      },
      [...keys, ...quoted, ...within, ...old, ...(given?.tokens ?? [])],
      [...quoted, ...within, ...(given?.tokens ?? [])],
    ),
  ];
}

/** What a text is to mention besides what it says. */
const MENTIONED =
  /\b(?:mention|say|state|note|explain|add|point out|tell|clarify|warn)s?(?:,? (?:also|too),?| in [\w ]{1,50},?| there)* that ([^.!?]+)/is;

/** A text with another number in it, or with what it is to mention as one more sentence. */
function guessPart(clause: Clause, place: Place, keys: readonly number[]): readonly Guess[] {
  const { now } = place;
  if (typeof now !== "string" || now === "") return [];
  const isWithin = (value: number) => new RegExp(`(?<![\\d.,])${value}(?![\\d]|[.,]\\d)`).test(now);
  const old = clause.amounts.filter(({ value }) => isWithin(value));
  const others = clause.amounts.filter(({ value }) => !isWithin(value));
  const [from] = old;
  const [to] = others;
  if (from !== undefined && to !== undefined && old.length === 1 && others.length === 1) {
    const words = [...keys, ...from.tokens, ...to.tokens];
    const text = now.replace(new RegExp(`(?<![\\d.,])${from.value}(?![\\d]|[.,]\\d)`), String(to.value));
    return [toGuess(place, text, { text: 1, key: 1, now: 1 }, words)];
  }
  const mentioned = MENTIONED.exec(clause.text)?.[1]?.trim() ?? "";
  if (mentioned === "" || mentioned.length > 300 || /["“”]/.test(mentioned)) return [];
  const start = clause.text.indexOf(mentioned);
  const words = clause.tokens.flatMap((token, at) => (token.start >= start ? [at] : []));
  const text = `${now.trimEnd()} ${mentioned.slice(0, 1).toUpperCase()}${mentioned.slice(1)}.`;
  return [toGuess(place, text, { text: 1, key: 1, marked: 1 }, [...keys, ...words])];
}

/** The one text in quotation marks: a sentence describes, and a few words with a capital are a title. */
function findQuoted({ tokens }: Clause, { key }: Place): string | undefined {
  const quoted = tokens.filter(({ kind, text }) => kind === "quoted" && /\s/.test(text.trim()));
  const [only, ...others] = quoted;
  if (only === undefined || others.length > 0 || !/^\p{Lu}/u.test(only.text)) return undefined;
  const isSentence = /[.。]$/.test(only.text);
  return (key === "description" && isSentence) || (key === "title" && !isSentence) ? only.text : undefined;
}

const TITLED = /\b(?:title|titel|título|titre)\s+(\p{Lu}[^"'”’`.!()]*)/iu;

/** Another title, where the present one or the word for it is in the message. */
function findTitle({ text, tokens }: Clause, now: Json | undefined, keys: readonly number[]): string | undefined {
  const titled = keys.length > 0 ? TITLED.exec(text)?.[1]?.trim() : undefined;
  if (titled !== undefined && /^\p{Lu}/u.test(titled)) return titled;
  if (typeof now !== "string" || now === "" || !text.includes(now)) return undefined;
  const rest = text.slice(text.indexOf(now) + now.length);
  const quoted = tokens.filter((token) => token.kind === "quoted" && token.text !== now);
  return (quoted.length === 1 ? quoted[0]?.text : CALLED.exec(rest)?.[1])?.trim();
}
