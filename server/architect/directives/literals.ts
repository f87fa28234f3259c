import type { Json } from "../../store/store.ts";
import { readData, readJson } from "./read-literal.ts";

/** What was quoted in a message, or written as JSON: sentences have a sign in its place. */
export interface Literals {
  /** What a word stands for, where it is such a sign. */
  find(word: string): Literal | undefined;
  /** The text as it was written. */
  restore(text: string): string;
}

export interface Literal {
  readonly value: Json;
  readonly source: string;
}

const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const SIGN = /\uE000(\d+)\uE001/g;
const PAIRS: Readonly<Record<string, string>> = { '"': '"', "`": "`", "“": "”", "«": "»", "'": "'" };
/** Characters that may stand before and behind a quoted text. */
const BEFORE = /[\s(:=,[]/;
const BEHIND = /[\s.,;:!?)\]]/;

/** Puts signs in the places of quoted texts and of JSON objects and lists. */
export function findLiterals(texts: readonly string[]): {
  readonly texts: readonly string[];
  readonly literals: Literals;
} {
  const found: Literal[] = [];
  const signed = texts.map((text) => {
    const clean = text.replaceAll(/[\uE000\uE001]/g, "");
    let done = "";
    let at = 0;
    // Looked for once: a message of nothing but opening marks would otherwise be read again for each.
    const unclosed = new Set<string>();
    while (at < clean.length) {
      const literal = literalAt(clean, at, unclosed);
      if (literal === undefined) {
        done += clean[at];
        at += 1;
      } else {
        done += OPEN + found.length + CLOSE;
        found.push(literal);
        at += literal.source.length;
      }
    }
    return done;
  });
  return {
    texts: signed,
    literals: {
      find: (word) => {
        const [, place] = /^\uE000(\d+)\uE001$/.exec(word) ?? [];
        return place === undefined ? undefined : found[Number(place)];
      },
      restore: (text) => text.replaceAll(SIGN, (_, place: string) => found[Number(place)]?.source ?? ""),
    },
  };
}

function literalAt(text: string, at: number, unclosed: Set<string>): Literal | undefined {
  const open = text[at] ?? "";
  if (at > 0 && !BEFORE.test(text[at - 1] ?? "")) return undefined;
  if (open === "{" || open === "[") return jsonAt(text, at, unclosed);
  const close = PAIRS[open];
  if (close === undefined || unclosed.has(open)) return undefined;
  const end = findClosing(text, at + 1, close);
  if (end === undefined) {
    unclosed.add(open);
    return undefined;
  }
  const source = text.slice(at, end + 1);
  if (open === '"') {
    const read = readJson(source);
    if (typeof read === "string") return { value: read, source };
  }
  return { value: source.slice(1, -1), source };
}

function findClosing(text: string, from: number, close: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\" && close === '"') at += 1;
    else if (text[at] === close && at > from && (at + 1 === text.length || BEHIND.test(text[at + 1] ?? ""))) return at;
  }
  return undefined;
}

/** An object or a list whose braces close. */
function jsonAt(text: string, at: number, unclosed: Set<string>): Literal | undefined {
  if (unclosed.has("{")) return undefined;
  let depth = 0;
  let isQuoted = false;
  for (let end = at; end < text.length; end += 1) {
    const sign = text[end] ?? "";
    if (isQuoted && sign === "\\") end += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === "{" || sign === "[")) depth += 1;
    else if (!isQuoted && (sign === "}" || sign === "]")) depth -= 1;
    if (depth > 0) continue;
    const source = text.slice(at, end + 1);
    const value = readData(source);
    if (value === undefined) break;
    return { value, source };
  }
  // What is no JSON here will not become any further on, or only by being read over and over.
  unclosed.add("{");
  return undefined;
}
