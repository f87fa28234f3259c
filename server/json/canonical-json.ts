import { CairnError } from "../errors.ts";

/** Deeper nesting is refused; so is what contains itself, which would nest for ever. */
export const MAX_JSON_DEPTH = 256;

/**
 * The one text for a JSON value (RFC 8785): members sorted by UTF-16 code units, numbers as ECMAScript prints them, no
 * white space. `-0` becomes `0`, as the RFC has it. A lone surrogate, which the RFC refuses, is written as its escape:
 * whoever sends one must not be able to stop a record from being hashed.
 */
export function canonicalJson(value: unknown): string {
  const text = write(value, 0);
  if (text !== undefined) return text;
  assertJson(value);
  throw new CairnError("INTERNAL_ERROR", "A value was taken for no JSON that is some.");
}

/** The texts of one JSON value: canonical, and with its members in the order in which they stand. */
export interface WrittenJson {
  readonly canonical: string;
  readonly plain: string;
}

/** Writes a value once where its members stand in canonical order, as both texts are one then; else once for each. */
export function writeJson(value: unknown): WrittenJson {
  const canonical = isJson(value, 0, true) ? undefined : canonicalJson(value);
  const plain = JSON.stringify(value);
  return { canonical: canonical ?? plain, plain };
}

/** Refuses what JSON would drop, replace or fail on (`undefined`, `NaN`, dates, functions, cycles), naming the place. */
export function assertJson(value: unknown, path = ""): asserts value is JsonValue {
  // Paths are written only where one is to be named.
  if (!isJson(value, 0, false)) assertWithin(value, path, 0);
}

type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The text, or nothing when something in the value is no JSON. This is on the way of every call, so it looks once. */
function write(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : undefined;
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth === MAX_JSON_DEPTH) return undefined;
      return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1);
    default:
      return undefined;
  }
}

/** Tells whether a value is JSON, and `inOrder`, whether `JSON.stringify` writes its canonical text. */
function isJson(value: unknown, depth: number, inOrder: boolean): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      if (depth === MAX_JSON_DEPTH) return false;
      return Array.isArray(value) ? isJsonArray(value, depth + 1, inOrder) : isJsonObject(value, depth + 1, inOrder);
    default:
      return false;
  }
}

function isJsonArray(items: readonly unknown[], depth: number, inOrder: boolean): boolean {
  for (let index = 0; index < items.length; index += 1) if (!isJson(items[index], depth, inOrder)) return false;
  return true;
}

function isJsonObject(object: object, depth: number, inOrder: boolean): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const names = Object.keys(object);
  if (inOrder && !isSorted(names)) return false;
  for (const name of names) if (!isJson((object as Record<string, unknown>)[name], depth, inOrder)) return false;
  return true;
}

function writeArray(items: readonly unknown[], depth: number): string | undefined {
  let text = "[";
  for (let index = 0; index < items.length; index += 1) {
    const item = write(items[index], depth);
    if (item === undefined) return undefined;
    text += index === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function writeObject(object: object, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const names = Object.keys(object);
  if (!isSorted(names)) names.sort();
  let text = "{";
  for (const name of names) {
    const member = write((object as Record<string, unknown>)[name], depth);
    if (member === undefined) return undefined;
    text += `${text.length === 1 ? "" : ","}${JSON.stringify(name)}:${member}`;
  }
  return `${text}}`;
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index += 1) {
    if ((names[index - 1] as string) > (names[index] as string)) return false;
  }
  return true;
}

function assertWithin(value: unknown, path: string, depth: number): void {
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      if (Number.isFinite(value)) return;
      throw refusal(path, `is \`${value}\``);
    case "object":
      break;
    default:
      throw refusal(path, `is ${typeof value === "undefined" ? "`undefined`" : `a ${typeof value}`}`);
  }
  if (value === null) return;
  if (depth === MAX_JSON_DEPTH) throw refusal(path, `nests deeper than ${MAX_JSON_DEPTH} levels or contains itself`);
  if (Array.isArray(value)) {
    // An index loop, because a callback would skip holes.
    for (let index = 0; index < value.length; index++) assertWithin(value[index], `${path}/${index}`, depth + 1);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refusal(path, "is not a plain object");
  for (const [name, member] of Object.entries(value)) assertWithin(member, `${path}/${name}`, depth + 1);
}

function refusal(path: string, what: string): CairnError {
  const place = path === "" ? "The value" : `The value at \`${path}\``;
  return new CairnError("BAD_REQUEST", `${place} ${what}, which JSON cannot carry.`);
}
