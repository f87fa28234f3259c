import { MASK } from "../../log/redact.ts";
import { findEncoded, type Range } from "./find-encoded.ts";

/** Replaces secrets in a text, in each form in which a host may send them back. */
export type MaskSecrets = (text: string) => string;

/** Shorter parts of a decoded credential would be found in ordinary words. */
const PART_MIN = 6;

/**
 * Creates the mask of what requests carried. It finds each value as it is, in any case of letters, with characters
 * escaped for URLs, JSON, JavaScript or HTML, in hexadecimal, and in base64 at any place of a longer text, and in several of
 * these around each other. The password of HTTP Basic is found by itself, too. Forms that a host computes in another way,
 * such as a digest or an archive, are not known here. A text that is made to be searched for long is masked as a whole.
 */
export function createSecretMask(values: readonly string[]): MaskSecrets {
  const known = [...new Set(values.flatMap((value) => [value, ...readBasic(value)]))];
  const longest = known.flatMap(toForms).toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(longest.join("|"), "gi");
  return (text) => {
    // The plain forms first: of base64 they leave what its neighbours decide, too.
    const masked = text.replace(pattern, MASK);
    const found = findEncoded(masked, known);
    return found === undefined ? MASK : maskRanges(masked, found);
  };
}

function maskRanges(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (to <= end) continue;
    if (from >= end) pieces.push(text.slice(end, from), MASK);
    end = to;
  }
  return [...pieces, text.slice(end)].join("");
}

/** The parts of `user:password`, where a value is that in base64. */
function readBasic(value: string): readonly string[] {
  const text = Buffer.from(value, "base64").toString("utf8");
  const [, password = ""] = /^[ -9;-~]*:([ -~]+)$/.exec(text) ?? [];
  if (password === "" || Buffer.from(text).toString("base64").replace(/=+$/, "") !== value.replace(/=+$/, ""))
    return [];
  return password.length < PART_MIN ? [text] : [text, password];
}

/** Patterns of the forms of one value. */
function toForms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [escaped(value), bytes.toString("hex"), ...[0, 1, 2].map((offset) => inBase64(bytes, offset))];
}

/** The characters of base64 that `bytes` alone decide when `offset` other bytes stand before them, in its two alphabets. */
function inBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)];
  return text.slice(from, to).replace(/[+/]/g, (sign) => (sign === "+" ? "(?:\\+|-|%2B)" : "(?:\\\\?/|_|%2F)"));
}

const HTML: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/** A value whose signs may each be written as such or escaped. Letters and digits are escaped by no encoder in use. */
function escaped(value: string): string {
  return value.replace(/[^A-Za-z0-9]/g, (sign) => {
    const code = sign.charCodeAt(0);
    const hex = code.toString(16).padStart(2, "0");
    const forms = [`%${hex}`, `\\\\?\\x${hex}`, `\\\\u00${hex}`, `\\\\x${hex}`, `&#0*${code};`, `&#x0*${hex};`];
    if (sign === " ") forms.push("\\+");
    const named = HTML[sign];
    return `(?:${[...forms, ...(named === undefined ? [] : [`&${named};`])].join("|")})`;
  });
}

/** Containers in one another that are looked into: more than a result may have, and far fewer than a stack can take. */
const DEPTH_LIMIT = 300;

/**
 * Creates the mask of a whole JSON value: every text in it, names of members and numbers included. It is read before it is
 * masked, because JSON can escape each character, and a mask of the text alone would find none of them.
 */
export function createValueMask(mask: MaskSecrets | undefined): <Value>(value: Value) => Value {
  if (mask === undefined) return (value) => value;
  return (value) => maskValue(value, mask, 0) as typeof value;
}

function maskValue(value: unknown, mask: MaskSecrets, depth: number): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") {
    const text = String(value);
    const masked = mask(text);
    return masked === text ? value : masked;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEPTH_LIMIT) return MASK;
  const inside = (inner: unknown) => maskValue(inner, mask, depth + 1);
  if (Array.isArray(value)) return value.map(inside);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mask(name), inside(inner)]));
}
