import { isUtf8 } from "node:buffer";
import { CairnError } from "../errors.ts";

/** Parameters that the header `Mcp-Name` repeats, by method. */
export const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Visible characters, with spaces and tabs only between them: what every reader of headers takes for the same. */
export const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const LEGIBLE = /^[\t\x20-\x7e]*$/;
const ENCODED = /^=\?base64\?(.*)\?=$/;

/** A value as it is where a header can carry it, otherwise as `=?base64?...?=`. */
export function encodeHeader(value: string): string {
  if (PLAIN.test(value) && !ENCODED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/**
 * Decodes a header that repeats a part of the body; undefined when it is absent or unreadable. A text that a header
 * cannot carry comes as `=?base64?...?=`, of its UTF-8.
 */
export function decodeHeader(header: string | string[] | undefined): string | undefined {
  const value = Array.isArray(header) ? header[0] : header;
  // Readers of headers do not agree on what other bytes mean.
  if (value === undefined || !LEGIBLE.test(value)) return undefined;
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, "base64");
  // Node reads around what is no base64; only what comes out the same was some.
  return bytes.toString("base64") === encoded && isUtf8(bytes) ? bytes.toString() : undefined;
}

/** HEADER_MISMATCH of a header that is `stated` in the request; absent: missing. Without `expected` there should be none. */
export function createMismatch(header: string, stated: string | undefined, expected: string | undefined): CairnError {
  const is = stated === undefined ? "is missing" : `is \`${stated.slice(0, 100)}\``;
  const says = expected === undefined ? "nothing to repeat" : `\`${expected.slice(0, 100)}\``;
  return new CairnError("HEADER_MISMATCH", `The header \`${header}\` ${is}; the body says ${says}.`);
}
