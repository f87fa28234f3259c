import type { Json } from "../../../store/store.ts";
import { findQuotations } from "../../message/find-quotations.ts";
import { readData, readJson } from "./read-literal.ts";

/** Literals of a sentence, quoted or written as JSON, each replaced by a sign in it. */
export interface Literals {
  /** Finds the literal that a sign stands for. */
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

/** Puts signs in the places of quoted texts and of JSON objects and lists. */
export function findLiterals(sentence: string): { readonly text: string; readonly literals: Literals } {
  const found: Literal[] = [];
  const clean = sentence.replaceAll(/[\uE000\uE001]/g, "");
  let text = "";
  let at = 0;
  for (const { kind, start, end } of findQuotations(clean)) {
    const literal = toLiteral(kind, clean.slice(start, end));
    if (literal === undefined) continue;
    text += clean.slice(at, start) + OPEN + found.length + CLOSE;
    found.push(literal);
    at = end;
  }
  return {
    text: text + clean.slice(at),
    literals: {
      find: (word) => {
        const [, place] = /^\uE000(\d+)\uE001$/.exec(word) ?? [];
        return place === undefined ? undefined : found[Number(place)];
      },
      restore: (signed) => signed.replaceAll(SIGN, (_, place: string) => found[Number(place)]?.source ?? ""),
    },
  };
}

/** Undefined of what stands in brackets and is no data. */
function toLiteral(kind: "text" | "data", source: string): Literal | undefined {
  if (kind === "data") {
    const value = readData(source);
    return value === undefined ? undefined : { value, source };
  }
  const read = source.startsWith('"') ? readJson(source) : undefined;
  return { value: typeof read === "string" ? read : source.slice(1, -1), source };
}

/** Words as a name: without quotes, articles and the like. */
export function toName(text: string, literals: Literals): string {
  const words = text.replaceAll(/\uE000\d+\uE001/g, (sign) => String(literals.find(sign)?.value ?? ""));
  return words
    .trim()
    .replace(/^(?:the|a|an|its|our|my|your|this|that) /i, "")
    .replace(/(?:'s|’s)$/, "");
}

/** Words as a value: quoted text, JSON, a number or a bare word; undefined of several words. */
export function toValue(text: string, literals: Literals): Json | undefined {
  const word = text.trim();
  const literal = literals.find(word);
  // In backquotes stands what is meant to the letter, whatever it is.
  if (literal !== undefined) return literal.source.startsWith("`") ? bare(String(literal.value)) : literal.value;
  return /^[^\s\uE000\uE001]+$/.test(word) ? bare(word) : undefined;
}

function bare(word: string): Json {
  const number = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(word) ? Number(word) : Number.NaN;
  if (Number.isFinite(number)) return number;
  if (word === "true" || word === "false" || word === "null") return readJson(word) ?? null;
  return word;
}

/** Reads several values: `a`, `a and b`, `a, b or c`. */
export function toValues(text: string, literals: Literals): readonly Json[] | undefined {
  const words = text.split(/,? and |,? or |, /).map((word) => toValue(word, literals));
  return words.every((value) => value !== undefined) ? words : undefined;
}
