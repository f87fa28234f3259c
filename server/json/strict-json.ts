import { MAX_JSON_DEPTH } from "./canonical-json.ts";
import { CairnError } from "../errors.ts";
import { toPointer } from "./pointer.ts";

/** Members of all objects of one text together: checking and copying them takes longer than reading them did. */
const MAX_JSON_MEMBERS = 100_000;

/** An object or array that is open at some place of the text. */
interface Level {
  readonly container: Record<string, unknown> | unknown[];
  /** The name or index of what is being read. */
  step: string | number;
  expectsName: boolean;
}

/** Longest part of a literal, a name or a pointer that an error shows. */
const SHOWN = 100;
const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/**
 * Reads JSON that means the same to every reader. PARSE_ERROR when it is not well-formed; INVALID_REQUEST, naming the
 * place, for what JSON.parse would let pass: a name that stands twice in an object, `__proto__`, half a surrogate pair,
 * numbers that become other numbers, more than MAX_JSON_MEMBERS members, and nesting deeper than MAX_JSON_DEPTH.
 */
export function readStrictJson(text: string): unknown {
  const value = parse(text);
  // Every body passes here, so this asks only whether all is plain. Reading with care costs several times as much.
  const count = countMembers(value, 0);
  if (count > MAX_JSON_MEMBERS) throw tooManyMembers();
  return count === countNames(text) ? value : readWithCare(text);
}

function parse(text: string): unknown {
  try {
    // V8 keeps its place on the heap, so no depth exhausts the stack here.
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CairnError("PARSE_ERROR", `The body is not well-formed JSON: ${error.message}`);
  }
}

/** The members of all its objects together; NaN, which equals no count, when something may be wrong with it. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value === "string") return value.isWellFormed() ? 0 : Number.NaN;
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER ? Number.NaN : 0;
  if (typeof value !== "object" || value === null) return 0;
  if (depth === MAX_JSON_DEPTH) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, depth + 1);
    return count;
  }
  for (const name in value) {
    if (name === "__proto__" || !name.isWellFormed()) return Number.NaN;
    count += 1 + countMembers((value as Record<string, unknown>)[name], depth + 1);
  }
  return count;
}

/**
 * The names in a well-formed text: more than members when JSON.parse dropped one for a later one of its name. NaN when a
 * name has escapes, because V8 13 and 14 may read it as another one that they saw before: after an object with the name
 * `a\`, `a\u0062` becomes that.
 */
function countNames(text: string): number {
  let count = 0;
  let escaped = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON) {
      if (escaped) return Number.NaN;
      count++;
    } else if (code === QUOTE) {
      escaped = false;
      // With indexOf, V8 would optimise this into a search to the end of the text for every character of it.
      for (let inner = text.charCodeAt(++at); inner !== QUOTE; inner = text.charCodeAt(++at)) {
        if (inner !== BACKSLASH) continue;
        escaped = true;
        at++;
      }
    }
  }
  return count;
}

/** Reads a well-formed text without trusting JSON.parse, or refuses its first fault. */
function readWithCare(text: string): unknown {
  const root: unknown[] = [];
  const levels: Level[] = [];
  let members = 0;
  const put = (value: unknown) => {
    const { container = root, step = 0 } = levels.at(-1) ?? {};
    if (Array.isArray(container)) container.push(value);
    else container[step] = value;
  };
  const scalar = /true|false|null|-?\d[\d.eE+-]*/y;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const level = levels.at(-1);
    if (char === '"') {
      const end = endOfString(text, at);
      const string = JSON.parse(text.slice(at, end + 1)) as string;
      at = end;
      if (level?.expectsName === true) {
        enterMember(string, level, levels);
        if (++members > MAX_JSON_MEMBERS) throw tooManyMembers();
      } else if (string.isWellFormed()) put(string);
      else throw refusal(`The string${placeOf(levels)} has half of a surrogate pair.`);
    } else if (char === "{" || char === "[") {
      if (levels.length === MAX_JSON_DEPTH) {
        throw refusal(`The body nests deeper than ${MAX_JSON_DEPTH} levels${placeOf(levels)}.`);
      }
      const container = char === "{" ? {} : [];
      put(container);
      levels.push({ container, step: char === "{" ? "" : 0, expectsName: char === "{" });
    } else if (char === "}" || char === "]") {
      levels.pop();
    } else if (char === "," && level) {
      if (typeof level.step === "number") level.step++;
      else level.expectsName = true;
    } else {
      scalar.lastIndex = at;
      const [literal = ""] = scalar.exec(text) ?? [];
      if (literal === "") continue;
      put(readScalar(literal, levels));
      at += literal.length - 1;
    }
  }
  return root[0];
}

function enterMember(name: string, level: Level, levels: readonly Level[]): void {
  level.expectsName = false;
  level.step = name;
  if (!name.isWellFormed()) throw refusal(`The name of the member${placeOf(levels)} has half of a surrogate pair.`);
  if (name === "__proto__") {
    // Whoever copies its object member by member would give the copy a prototype of the sender's choice.
    throw refusal(`The name \`__proto__\` is not taken; a member has it${placeOf(levels)}.`);
  }
  if (Object.hasOwn(level.container, name)) {
    throw refusal(`The member \`${shorten(name)}\` stands more than once in one object${placeOf(levels)}.`);
  }
}

function readScalar(literal: string, levels: readonly Level[]): unknown {
  const value: unknown = JSON.parse(literal);
  if (typeof value !== "number") return value;
  const isInteger = /^-?\d+$/.test(literal);
  if (Number.isFinite(value) && (!isInteger || Number.isSafeInteger(value))) return value;
  const shown = `The number \`${shorten(literal)}\`${placeOf(levels)}`;
  throw refusal(
    isInteger
      ? `${shown} would become another number; integers go to ±${Number.MAX_SAFE_INTEGER}, so send it as a string.`
      : `${shown} is too large; the largest is ${Number.MAX_VALUE}.`,
    { number: shorten(literal) },
  );
}

/** The index of the quote that ends the string which the quote at `start` begins. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1;
  return at;
}

/** Returns the position of the reader as a JSON Pointer; empty outside all objects and arrays. */
function placeOf(levels: readonly Level[]): string {
  const pointer = toPointer(levels.map(({ step }) => step));
  return pointer === "" ? "" : ` at \`${shorten(pointer)}\``;
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text.toWellFormed();
}

function tooManyMembers(): CairnError {
  return refusal(`The objects of the body have more than ${MAX_JSON_MEMBERS} members together.`);
}

function refusal(message: string, details?: { readonly number: string }): CairnError {
  return new CairnError("INVALID_REQUEST", message, { details });
}
