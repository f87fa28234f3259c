import { KEY_WORDS, type KeyWord } from "./words/key-words.ts";
import { CHINESE, CORRECTABLE, find, KEY_PHRASES, NOUN_KINDS, PLAIN } from "./words/phrase-index.ts";
import type { Places } from "./places/places.ts";
import { findLanguage } from "./standing.ts";
import { isOrigin, isScope } from "./words/scopes.ts";
import { translateStem } from "./words/translations.ts";
import { findDefaultCase } from "./words/default-case.ts";
import { findActions } from "./words/find-actions.ts";
import { type Amount, findAmounts } from "./words/values.ts";
import { type Action, NEGATORS, STOP, TURNING } from "./words/word-lists.ts";
import { distance, toStem, toStems, type Token, toTokens } from "./words/words.ts";

/** A part of a message that may be one wish, with what is recognised in it. Words go by their position. */
export interface Clause {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** How much each word has to be explained by what is done: 0 for words that say nothing. */
  readonly weights: readonly number[];
  readonly actions: ReadonlyMap<Action, readonly number[]>;
  readonly keys: ReadonlyMap<KeyWord, readonly (readonly number[])[]>;
  readonly amounts: readonly Amount[];
  /** Kinds of things that words name: `argument`, `role`. */
  readonly nouns: ReadonlyMap<number, ReadonlySet<string>>;
  readonly negators: readonly number[];
  /** Words that were taken for others, because of a typing error. */
  readonly corrections: ReadonlyMap<number, string>;
}

/** Reads a clause against what a version has. */
export function readClause(text: string, places: Places): Clause {
  const corrections = new Map<number, string>();
  const isForeign = findLanguage(text) !== "en";
  const written = toTokens(text, CHINESE).map((token) => asName(token, places));
  const tokens = splitPaths(written, places).map((token, place) => {
    const right = correct(token, places);
    if (right === undefined) return isForeign ? toEnglish(token, places) : token;
    corrections.set(place, right);
    return { ...token, text: right, lower: right, stems: right.split(/[_.]/).map(toStem) };
  });
  const negators = tokens.flatMap(({ lower, kind }, place) =>
    kind === "word" && (NEGATORS.has(lower) || /n['’]t$/.test(lower)) ? [place] : [],
  );
  const amounts = findAmounts(tokens);
  const counted = new Set(amounts.flatMap((amount) => amount.tokens));
  const actions = findActions(tokens, amounts);
  const keys = withDefaultCase(withoutReading(find(tokens, KEY_PHRASES), tokens), findDefaultCase(text, tokens));
  const nouns = findNouns(tokens);
  const isBound = findBound(
    text,
    tokens,
    [...actions.values(), ...amounts.map((amount) => amount.tokens), negators].flat(),
  );
  const said = new Set([...actions.values(), ...[...keys.values()].flat()].flat());
  // What undoes or ends something is never talk.
  const contrary = new Set(
    (["revert", "remove", "stop", "disable", "revoke", "relax", "deprecate"] as const).flatMap(
      (action) => actions.get(action) ?? [],
    ),
  );
  const weights = tokens.map((token, place) => {
    if (token.kind === "word" && STOP.has(token.lower) && isNamedField(tokens, place, nouns, places))
      return WEIGHTS.known;
    if (token.kind === "sign" || (STOP.has(token.lower) && !counted.has(place) && !negators.includes(place))) return 0;
    if (counted.has(place) || token.kind === "number") return WEIGHTS.number;
    if (leadsToText(tokens, place)) return 0;
    if (token.kind === "quoted") return WEIGHTS.quoted;
    if (negators.includes(place)) return isBound(place) ? WEIGHTS.negator : WEIGHTS.verb;
    if (token.stems.length > 1)
      return places.identifiers.has(token.lower) || /[_.:]/.test(token.text) ? WEIGHTS.identifier : WEIGHTS.known;
    if (contrary.has(place)) return WEIGHTS.negator;
    if (said.has(place) || nouns.has(place)) return isBound(place) ? WEIGHTS.verb : WEIGHTS.aside;
    const weight = isScope(tokens, place, places, isForeign)
      ? WEIGHTS.scope
      : isOrigin(tokens, place)
        ? WEIGHTS.name
        : places.frequency.has(token.stems[0] ?? "")
          ? WEIGHTS.known
          : WEIGHTS.unknown;
    return isBound(place) ? weight : WEIGHTS.aside;
  });
  return {
    text,
    tokens,
    weights,
    actions,
    keys,
    amounts,
    nouns,
    negators,
    corrections,
  };
}

/** The negations of a clause without the words that only limit or put off what it says: "only", "later". */
export function plainNegators({ negators, tokens }: Clause): readonly number[] {
  return negators.filter((at) => !TURNING.has(tokens[at]?.lower ?? ""));
}

/** "It reads only files of its own" does not say that it is read only. */
function withoutReading(keys: Clause["keys"], tokens: readonly Token[]): Clause["keys"] {
  const found = keys.get("sideEffect");
  if (found === undefined) return keys;
  const said = found.filter(([at = -1]) => tokens[at]?.lower !== "reads");
  const rest = [...keys].filter(([key]) => key !== "sideEffect");
  return new Map(said.length === 0 ? rest : [...rest, ["sideEffect", said]]);
}

/** Words of manifests besides their keys. */
const WRITTEN = /^(?:deprecated|required|true|false)$/;

/** What is written as code and is a name of the version or a word of manifests, as a word like any other. */
function asName(token: Token, { identifiers }: Places): Token {
  const isName = /^\w+\.\w+$|_/.test(token.text)
    ? identifiers.has(token.lower)
    : WRITTEN.test(token.text) || Object.hasOwn(KEY_WORDS, token.text);
  return token.mark === "\x60" && isName ? { ...token, kind: "word" } : token;
}

/** Keys without those that only name what is not given, where a default counts. */
function withDefaultCase(keys: Clause["keys"], cases: readonly (readonly number[])[]): Clause["keys"] {
  if (cases.length === 0) return keys;
  const within = new Set(cases.flat());
  const others = [...keys].flatMap(([key, found]) => {
    const kept = found.filter((said) => !said.some((at) => within.has(at)));
    return kept.length === 0 ? [] : [[key, kept] as const];
  });
  const own = new Map(others);
  return own.set("default", [...(own.get("default") ?? []), ...cases]);
}

/** What hosts end with. */
const DOMAIN =
  /^[a-z0-9-]+\.(?:[a-z0-9-]+\.)*(?:example|com|net|org|io|dev|app|eu|de|fr|es|uk|us|ch|at|cn|gov|edu|local|internal)$/;

/** `builds.list_artifacts.kind` and `limits.payload` name a thing and its key: each part becomes a word. */
function splitPaths(tokens: readonly Token[], { identifiers, vocabulary }: Places): readonly Token[] {
  const isKnown = (part: string) =>
    identifiers.has(part.toLowerCase()) || toStems(part).every((stem) => vocabulary.has(stem) || PLAIN.has(stem));
  return tokens.flatMap((token): readonly Token[] => {
    const { kind, text, lower, start } = token;
    const isPath = kind === "word" && /^\w+(?:\.\w+)+$/.test(text) && !/^v?\d/.test(text) && !DOMAIN.test(lower);
    if (!isPath || identifiers.has(lower)) return [token];
    const parts = text.split(".");
    const joined = parts.findLastIndex((_, at) => identifiers.has(parts.slice(0, at).join(".").toLowerCase()));
    const pieces = joined > 0 ? [parts.slice(0, joined).join("."), ...parts.slice(joined)] : parts;
    if (!pieces.every(isKnown)) return [token];
    let at = start;
    return pieces.map((piece) => {
      const found: Token = {
        kind: "word",
        text: piece,
        lower: piece.toLowerCase(),
        stems: toStems(piece),
        start: at,
        end: at + piece.length,
      };
      at += piece.length + 1;
      return found;
    });
  });
}

/** Fields may be called by words that mostly say nothing: "the when argument". */
function isNamedField(
  tokens: readonly Token[],
  place: number,
  nouns: ReadonlyMap<number, ReadonlySet<string>>,
  { identifiers }: Places,
): boolean {
  const isNoun = (at: number) =>
    ["input", "field", "output"].some((noun) => nouns.get(at)?.has(noun) === true) &&
    /^(?:argument|field|parameter|input|output|property|option)s?$/.test(tokens[at]?.lower ?? "");
  return identifiers.has(tokens[place]?.lower ?? "") && (isNoun(place + 1) || isNoun(place - 1));
}

/** A word of another language with the stem of its English one, where the version has that; `20.000` is twenty thousand. */
function toEnglish(token: Token, { vocabulary }: Places): Token {
  if (token.kind === "number" && /^\d{1,3}(?:\.\d{3})+$/.test(token.text))
    return { ...token, value: Number(token.text.replaceAll(".", "")) };
  const [stem = "", ...others] = token.stems;
  const english = others.length > 0 || token.kind !== "word" ? undefined : translateStem(stem, vocabulary);
  return english === undefined || !vocabulary.has(english) ? token : { ...token, stems: [english] };
}

/** "It should read: ..." */
export function leadsToText(tokens: readonly Token[], place: number): boolean {
  if (!/^(?:reads?|says?|lauten|lautet|lire|decir|diga)$/.test(tokens[place]?.lower ?? "")) return false;
  const next = tokens[place + 1]?.text === ":" ? tokens[place + 2] : tokens[place + 1];
  return next?.kind === "quoted";
}

/** Finds words in the parts of a sentence that have a verb, a number or a negation; the other parts only report something. */
function findBound(text: string, tokens: readonly Token[], places: readonly number[]): (place: number) => boolean {
  const ends = [
    ...text.matchAll(/[.;:!?](?=\s)|,(?=\s)|\s[-–—]\s|[()。,;]|\s(?:because|since|so|but|weil|denn|porque|car)\s/gi),
  ].map(({ index }) => index);
  const pieceOf = (place: number) => ends.filter((end) => end < (tokens[place]?.start ?? 0)).length;
  const bound = new Set(places.map(pieceOf));
  return (place) => bound.has(pieceOf(place));
}

/** Cost of a word that nothing explains, by its kind. */
export const WEIGHTS = {
  number: 0.7,
  quoted: 0.8,
  negator: 0.8,
  identifier: 0.9,
  verb: 0.3,
  known: 0.3,
  name: 0.5,
  scope: 0.8,
  unknown: 0.22,
  aside: 0.06,
} as const;

/** Letters of a word that others differ from by one letter, and mean something else. */
const SHORT = 5;

/** Corrects a typing error to an identifier or a common word that is one letter away, or two in long words. */
function correct(token: Token, { identifiers, vocabulary }: Places): string | undefined {
  const { kind, lower, stems } = token;
  if (kind !== "word" || lower.length < 5 || !/^[a-z_.]+$/.test(lower) || identifiers.has(lower) || STOP.has(lower))
    return undefined;
  if (stems.every((stem) => vocabulary.has(stem) || PLAIN.has(stem))) return undefined;
  const most = lower.length >= 8 && !lower.includes("_") ? 2 : 1;
  const near = (known: Iterable<string>, of: string) =>
    [...known]
      .map((word) => [distance(of, word, most), word] as const)
      // "Internet" is no "intern"; "statuses" are several.
      .filter(([by, word]) => by <= most && word.length >= 5 && !(by > 1 && of.startsWith(word) && !of.endsWith("es")))
      // Who mistypes twice, or a short word, begins rightly: an "observer" is no "server", and a "cause" no "pause".
      .filter(([by, word]) => (by < 2 && of.length > SHORT) || word[0] === of[0])
      .sort(([one], [other]) => one - other);
  const [first, second] = near(identifiers, lower);
  if (first !== undefined && (second === undefined || second[0] > first[0])) return first[1];
  if (lower.includes("_") || first !== undefined || lower.length < 7) return undefined;
  const [word, other] = near([...CORRECTABLE], lower);
  return word !== undefined && (other === undefined || other[0] > word[0]) ? word[1] : undefined;
}

function findNouns(tokens: readonly Token[]): ReadonlyMap<number, ReadonlySet<string>> {
  return new Map(
    tokens.flatMap(({ stems, kind }, place) => {
      const kinds = kind === "word" && stems.length === 1 ? NOUN_KINDS.get(stems[0] ?? "") : undefined;
      return kinds === undefined ? [] : [[place, kinds] as const];
    }),
  );
}
