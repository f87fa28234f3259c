import { findQuotations } from "../../../message/find-quotations.ts";
import type { Span } from "../../../message/message.ts";
import { UNITS } from "./units.ts";

/** A word, number, quoted text or sign of a clause. */
export interface Token extends Span {
  readonly kind: "word" | "number" | "quoted" | "sign";
  /** As written; of what is quoted, without its marks. */
  readonly text: string;
  readonly lower: string;
  /** Stems of what the word consists of: `match_threshold` has two. Empty of numbers, signs, and texts of several words. */
  readonly stems: readonly string[];
  /** Of a number. */
  readonly value?: number;
  /** The unit that is written right behind a number: `90s`. */
  readonly unit?: string;
  /** The mark before a quoted text; absent of other tokens. */
  readonly mark?: string;
}

const NUMBER = String.raw`[+-]?(?:\d{1,3}(?:[\u00a0\u202f ']\d{3})+(?:[.,]\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+[.,]\d+|\d+|\.\d+)(?:e[+-]?\d+)?`;
/** The number of a version, alone. */
export const VERSION_NUMBER = /^v?\d+\.\d+\.\d+$/u;
const VERSION = String.raw`v?\d+\.\d+\.\d+(?:[\w.+-]*\w)?`;
const WORD = String.raw`(?:(?<![\w*])\*\.)?[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:[.:/'’-]+[\p{L}\p{N}_*]+)*(?:[:.]\*|(?<=_)\*)?`;
const PATTERN = new RegExp(
  `(?<arrow>-+>|=+>|→|⇒)|(?<version>(?<![\\w.])(?:${VERSION})(?![\\w]))|(?<number>(?<![\\p{L}\\p{N}_])${NUMBER}(?=$|[^\\p{N}]))|(?<word>${WORD})|(?<sign>[^\\s\\p{L}\\p{N}])`,
  "giu",
);
const CJK = /\p{Script=Han}/u;

/** The tokens of a text; `known` are words of the Chinese lists, by which its running text is cut. */
export function toTokens(text: string, known: ReadonlySet<string> = new Set()): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { kind, start, end } of findQuotations(text)) {
    if (kind === "data") continue;
    tokens.push(...scan(text.slice(at, start), at, known));
    tokens.push(quotedToken(text, start, end));
    at = end;
  }
  tokens.push(...scan(text.slice(at), at, known));
  return tokens;
}

function quotedToken(text: string, start: number, end: number): Token {
  const inner = text.slice(start + 1, end - 1).trim();
  const stems = /\s/.test(inner.trim()) ? [] : toStems(inner);
  return { kind: "quoted", text: inner, lower: inner.toLowerCase(), stems, mark: text[start] ?? "", start, end };
}

function scan(text: string, offset: number, known: ReadonlySet<string>): readonly Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(PATTERN)) {
    const [source] = match;
    const start = offset + match.index;
    const span = { text: source, lower: source.toLowerCase(), start, end: start + source.length };
    if (match.groups?.["version"] !== undefined) found.push({ kind: "word", ...span, stems: [span.lower] });
    else if (match.groups?.["number"] !== undefined)
      found.push({ kind: "number", ...span, stems: [], value: readNumber(source) });
    else if (match.groups?.["word"] !== undefined) found.push(...toWordTokens(source, start, known));
    else found.push({ kind: "sign", ...span, stems: [], text: match.groups?.["arrow"] === undefined ? source : "->" });
  }
  return joinUnits(found);
}

function toWordTokens(source: string, start: number, known: ReadonlySet<string>): readonly Token[] {
  if (CJK.test(source)) return cutChinese(source, start, known);
  const bare = source.replace(/['’]s$/i, "").replace(/s['’]$/i, "s");
  // French articles: l'argument, d'exploration.
  const article = /^(?:[ldjmnstc]|qu)['’](?=.{2})/i.exec(bare)?.[0].length ?? 0;
  const text = bare.slice(article);
  const from = start + article;
  const pieces =
    /^[\p{L}]+(?:-[\p{L}]+)+$/u.test(text) && !known.has(text.toLowerCase())
      ? splitHyphens(text, from)
      : [{ text, start: from }];
  return pieces.map((piece) => ({
    kind: "word" as const,
    text: piece.text,
    lower: piece.text.toLowerCase().replaceAll("’", "'"),
    stems: toStems(piece.text),
    start: piece.start,
    end: piece.start + piece.text.length,
  }));
}

function splitHyphens(text: string, start: number) {
  let at = start;
  return text.split("-").map((piece) => {
    const found = { text: piece, start: at };
    at += piece.length + 1;
    return found;
  });
}

/** The longest known words first; what is not known stays a character of its own, and Latin words in between are words. */
function cutChinese(source: string, start: number, known: ReadonlySet<string>): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const latin = /^[^\p{Script=Han}]+/u.exec(source.slice(at))?.[0];
    let length = latin?.length ?? 1;
    if (latin === undefined)
      for (let size = 6; size > 1; size -= 1)
        if (known.has(source.slice(at, at + size))) {
          length = size;
          break;
        }
    const text = source.slice(at, at + length);
    const isNumber = latin !== undefined && /^[\d.]+$/.test(text);
    tokens.push({
      kind: isNumber ? "number" : "word",
      text,
      lower: text.toLowerCase(),
      stems: isNumber ? [] : toStems(text),
      start: start + at,
      end: start + at + length,
      ...(isNumber ? { value: Number(text) } : {}),
    });
    at += length;
  }
  return tokens;
}

/** `90s`, `2 MB`, `30 %`: the unit belongs to the number before it where nothing but a blank is between them. */
function joinUnits(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const isUnit =
      last?.kind === "number" &&
      last.unit === undefined &&
      Object.hasOwn(UNITS, token.lower) &&
      UNITS[token.lower]?.of !== "plain" &&
      token.start - last.end <= 1;
    const isLetter =
      token.lower.length === 1 && token.lower !== "%" && token.start !== last?.end && token.lower !== "s";
    if (isUnit && !isLetter && last !== undefined)
      joined[joined.length - 1] = { ...last, unit: token.lower, end: token.end, text: `${last.text}${token.text}` };
    else joined.push(token);
  }
  return joined;
}

/** `0,5` is half; `1,000` and `1 000` are a thousand. */
function readNumber(source: string): number {
  const plain = source.replaceAll(/[\u00a0\u202f ']/g, "");
  if (/^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) && !/^[+-]?0,/.test(plain))
    return Number(plain.replaceAll(",", ""));
  return Number(plain.replace(",", "."));
}

/** The stems of what a word consists of: parts of identifiers are words of their own. */
export function toStems(word: string): readonly string[] {
  const spaced = word.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return spaced
    .split(/[^\p{L}\p{M}\p{N}*]+/u)
    .filter((part) => part !== "")
    .map(toStem);
}

const ENDINGS = /(?:ations?|ators?|ates?|ated|ating|ings?|ied|ies|ed|es|e|s|ions?|y)$/;
const SHORT: Readonly<Record<string, string>> = {
  args: "argument",
  arg: "argument",
  params: "parameter",
  param: "parameter",
  max: "maximum",
  min: "minimum",
  maximal: "maximum",
  minimal: "minimum",
  temp: "temperature",
  config: "configuration",
  conf: "configuration",
  msg: "message",
  desc: "description",
  num: "number",
  doc: "documentation",
  docs: "documentation",
  validation: "validate",
  id: "id",
  favourite: "favorite",
  colour: "color",
  celsius: "celsius",
  warmly: "warm",
  warmer: "warm",
  warmth: "warm",
};

/** A word without its ending, in lower case and without accents; rough, but the same for all that is compared. */
export function toStem(word: string): string {
  const lower = word.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
  const full = SHORT[lower] ?? lower;
  if (full.length <= 3 || CJK.test(full)) return full;
  for (let cut = ENDINGS.exec(full); cut !== null; cut = null) {
    for (const ending of [cut[0], "es", "s", "e"]) {
      const stem = full.endsWith(ending) ? full.slice(0, -ending.length) : "";
      if (stem.length >= 3 && stem !== "not" && !(ending === "s" && stem.endsWith("s")))
        return stem.replace(/([bdglmnprt])\1$/, "$1");
    }
  }
  return full.replace(/([bdglmnprt])\1$/, "$1");
}

/** Changes of one letter that make one word of another, two neighbours in the wrong order counting once; at most `most` + 1. */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? most + 1;
}

/** The places of the tokens that lie wholly in a span of their text. */
export function placesIn(tokens: readonly Token[], { start, end }: Span): readonly number[] {
  return tokens.flatMap((token, at) => (token.start >= start && token.end <= end ? [at] : []));
}

/** The places of the tokens that a span of their text touches. */
export function placesAcross(tokens: readonly Token[], { start, end }: Span): readonly number[] {
  return tokens.flatMap((token, at) => (token.start < end && token.end > start ? [at] : []));
}

/** The places of the tokens that the first match of a pattern consists of. */
export function placesOfMatch(tokens: readonly Token[], text: string, pattern: RegExp): readonly number[] {
  const found = pattern.exec(text);
  return found === null ? [] : placesIn(tokens, { start: found.index, end: found.index + found[0].length });
}
