import { toRe2 } from "../../../json/to-re2.ts";

/** Code points from the first to the last. */
export type Range = readonly [first: number, last: number];

/** A pattern as a tree. `set` is one character, `start` and `end` are the edges of the text. */
export type Pattern =
  | { readonly kind: "set"; readonly ranges: readonly Range[] }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly part: Pattern; readonly min: number; readonly max: number };

export interface ReadPattern {
  readonly tree: Pattern;
  /** False where the tree matches more than the pattern, as word boundaries and classes by property are not looked into. */
  readonly isExact: boolean;
}

const LAST = 0x10ffff;
const ANY_CHARACTER: Pattern = { kind: "set", ranges: [[0, LAST]] };
export const EMPTY: Pattern = { kind: "sequence", parts: [] };

const HEX = String.raw`\\x\{[0-9a-f]+\}`;
const TOKEN = new RegExp(
  String.raw`\(\?:|${HEX}|\[\^?(?:${HEX}(?:-${HEX})?|\\[pP]\{\w+\})*\]|\\[pP]\{\w+\}|\\[bB]|\{\d+(?:,\d*)?\}|[)|*+?^$]|[^]`,
  "gu",
);
const QUANTIFIER = /^(?:[*+?]|\{.*)$/;

/** Characters of a pattern, beyond which the validators refuse it. */
const LENGTH_LIMIT = 1_000;

/** Reads a pattern as the validators match it; undefined where they refuse it, or it has parts that are not known here. */
export function readPattern(source: string): ReadPattern | undefined {
  if (source.length > LENGTH_LIMIT || !isValid(source)) return undefined;
  const translated = toRe2(source);
  if (typeof translated !== "string") return undefined;
  const tokens = translated.match(TOKEN) ?? [];
  let [next, isExact, isKnown] = [0, true, true];
  const tree = readChoice();
  return isKnown && next === tokens.length ? { tree, isExact } : undefined;

  function readChoice(): Pattern {
    const parts = [readSequence()];
    while (tokens[next] === "|") {
      next += 1;
      parts.push(readSequence());
    }
    return { kind: "choice", parts };
  }

  function readSequence(): Pattern {
    const parts: Pattern[] = [];
    for (let token = tokens[next]; token !== undefined && token !== "|" && token !== ")"; token = tokens[next]) {
      next += 1;
      const part = readAtom(token);
      const quantifier = tokens[next];
      if (quantifier === undefined || !QUANTIFIER.test(quantifier)) {
        parts.push(part);
        continue;
      }
      next += 1;
      // A lazy quantifier matches the same texts.
      if (tokens[next] === "?") next += 1;
      parts.push({ kind: "repeat", part, ...readCounts(quantifier) });
    }
    return { kind: "sequence", parts };
  }

  function readAtom(token: string): Pattern {
    if (token === "(?:") {
      const inner = readChoice();
      if (tokens[next] !== ")") isKnown = false;
      next += 1;
      return inner;
    }
    if (token === "^") return { kind: "start" };
    if (token === "$") return { kind: "end" };
    if (/^\\[bBpP]/.test(token) || /^\[.*\\[pP]/.test(token)) {
      isExact = false;
      return /^\\[bB]/.test(token) ? EMPTY : ANY_CHARACTER;
    }
    if (!token.startsWith("[") && !token.startsWith("\\x")) isKnown = false;
    return { kind: "set", ranges: readSet(token) };
  }
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function readCounts(quantifier: string): { readonly min: number; readonly max: number } {
  if (quantifier === "*") return { min: 0, max: Infinity };
  if (quantifier === "+") return { min: 1, max: Infinity };
  if (quantifier === "?") return { min: 0, max: 1 };
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(quantifier) ?? [];
  const min = Number(least);
  return { min, max: comma === "" ? min : most === "" ? Infinity : Number(most) };
}

function readSet(token: string): readonly Range[] {
  const ranges = [...token.matchAll(/\\x\{([0-9a-f]+)\}(?:-\\x\{([0-9a-f]+)\})?/g)].map(
    ([, first = "", last]): Range => {
      const start = Number.parseInt(first, 16);
      return [start, last === undefined ? start : Number.parseInt(last, 16)];
    },
  );
  return token.startsWith("[^") ? complement(ranges) : ranges;
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  let from = 0;
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    if (first > from) result.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  return from <= LAST ? [...result, [from, LAST]] : result;
}
