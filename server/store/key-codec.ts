import { CairnError } from "../errors.ts";
import type { Key } from "./store.ts";

/** A bound that leaves every engine room for its own prefixes and suffixes. */
export const MAX_KEY_BYTES = 1_900;

/**
 * Bytes whose plain order is the order of keys: elements compare one by one, numbers before strings, strings by code
 * point. Every element ends where it can be seen to end, so the bytes of a key start with the bytes of another exactly
 * if its elements do.
 */
export function encodeKey(key: Key): Buffer {
  if (!Array.isArray(key)) throw refusal(key, "is not an array");
  const bytes = encodeStrings(key) ?? Buffer.concat(key.map((element) => encodeElement(element, key)));
  if (bytes.length > MAX_KEY_BYTES) {
    throw refusal(key, `takes ${bytes.length} bytes, more than the ${MAX_KEY_BYTES} a key may have`);
  }
  return bytes;
}

/** The key that `encodeKey` made these bytes from. */
export function decodeKey(bytes: Buffer): Key {
  const key: (string | number)[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = endOfElement(bytes, at);
    key.push(
      bytes[at] === NUMBER ? decodeNumber(bytes, at + 1) : decodeString(bytes.toString("utf8", at + 1, end - 1)),
    );
    at = end;
  }
  return key;
}

/** For people to read; bytes that are no key stay bytes. */
export function describeKey(bytes: Buffer): string {
  try {
    return JSON.stringify(decodeKey(bytes));
  } catch {
    return bytes.toString("hex");
  }
}

/** The first bytes behind all keys that start with `prefix`. */
export function endOfPrefix(prefix: Buffer): Buffer {
  return Buffer.concat([prefix, Buffer.of(0xff)]);
}

/** Splits a key before its last element. */
export function splitKey(bytes: Buffer): { readonly parent: Buffer; readonly last: Buffer } {
  let start = 0;
  for (let at = 0; at < bytes.length; at = endOfElement(bytes, at)) start = at;
  return { parent: bytes.subarray(0, start), last: bytes.subarray(start) };
}

export function encodeNumber(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES);
  bytes[0] = NUMBER;
  // Doubles sort like integers once the sign bit is flipped, and all other bits too when it was set. Adding 0 makes -0 a 0.
  bytes.writeDoubleBE(number + 0, 1);
  flip(bytes, 1, number < 0);
  return bytes;
}

/** No encoded key starts with a byte below this one: what does belongs to an engine itself. */
export const FIRST_KEY_BYTE = 0x10;
export const NUMBER_BYTES = 9;

const NUMBER = 0x10;
const STRING = 0x20;
const STRING_SIGN = String.fromCharCode(STRING);
const END_OF_STRING = 0x00;
// oxlint-disable-next-line no-control-regex -- exactly these two have a meaning in encoded keys
const NEEDS_ESCAPE = /[\0\x01]/;

/** The bytes of a key that has strings only, as most have: encoded all at once. */
function encodeStrings(key: Key): Buffer | undefined {
  let text = "";
  for (const element of key) {
    if (typeof element !== "string") return undefined;
    text += encodeString(element, key);
  }
  return Buffer.from(text);
}

function encodeString(element: string, key: Key): string {
  if (!element.isWellFormed()) throw refusal(key, "holds half of a surrogate pair");
  // A string ends with NUL; \x01 escapes itself and any NUL inside, which keeps the order.
  const escaped = NEEDS_ESCAPE.test(element)
    ? element.replaceAll("\x01", "\x01\x02").replaceAll("\0", "\x01\x01")
    : element;
  return `${STRING_SIGN}${escaped}\0`;
}

function encodeElement(element: unknown, key: Key): Buffer {
  if (typeof element === "number") {
    if (!Number.isFinite(element)) throw refusal(key, `holds the number \`${element}\``);
    return encodeNumber(element);
  }
  if (typeof element !== "string") throw refusal(key, "holds something other than strings and numbers");
  return Buffer.from(encodeString(element, key));
}

function decodeString(escaped: string): string {
  return escaped.replaceAll("\x01\x01", "\0").replaceAll("\x01\x02", "\x01");
}

function decodeNumber(bytes: Buffer, at: number): number {
  const copy = Buffer.from(bytes.subarray(at, at + 8));
  flip(copy, 0, (copy[0] ?? 0) < 0x80);
  return copy.readDoubleBE();
}

function flip(bytes: Buffer, at: number, all: boolean): void {
  bytes.writeUInt32BE((bytes.readUInt32BE(at) ^ (all ? 0xffffffff : 0x80000000)) >>> 0, at);
  if (all) bytes.writeUInt32BE(~bytes.readUInt32BE(at + 4) >>> 0, at + 4);
}

function endOfElement(bytes: Buffer, at: number): number {
  const end = bytes[at] === NUMBER ? at + NUMBER_BYTES : bytes.indexOf(END_OF_STRING, at) + 1;
  if (end <= at || end > bytes.length || (bytes[at] !== NUMBER && bytes[at] !== STRING)) {
    throw new CairnError("INTERNAL_ERROR", `The stored key \`${bytes.toString("hex")}\` is damaged.`);
  }
  return end;
}

function refusal(key: unknown, what: string): CairnError {
  return new CairnError("BAD_REQUEST", `The key \`${String(JSON.stringify(key)).slice(0, 100)}\` ${what}.`);
}
