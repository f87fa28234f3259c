import { CairnError } from "./errors.ts";

/** Deeper nesting is refused; so is what contains itself, which would nest for ever. */
export const MAX_JSON_DEPTH = 256;

/**
 * The one text for a JSON value (RFC 8785): members sorted by UTF-16 code units, numbers as ECMAScript prints them, no
 * white space. `-0` becomes `0`, as the RFC has it. A lone surrogate, which the RFC refuses, is written as its escape:
 * whoever sends one must not be able to stop a record from being hashed.
 */
export function canonicalJson(value: unknown): string {
  assertJson(value);
  return write(value);
}

/** Refuses what JSON would drop, replace or fail on (`undefined`, `NaN`, dates, functions, cycles), naming the place. */
export function assertJson(value: unknown, path = ""): asserts value is JsonValue {
  assertWithin(value, path, 0);
}

type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

function write(value: JsonValue): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(write).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(",")}}`;
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
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
