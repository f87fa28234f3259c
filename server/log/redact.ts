import { createFindValues } from "./find-values.ts";

/** Text in place of masked text. */
export const MASK = "[redacted]";

/** Masks what must not leave: the secrets it was made for, and whatever has the form of a credential. */
export interface Redactor {
  text(text: string): string;
  /**
   * The value with every text in it masked, names of members included, and all that a secret's name stands before: a copy, or
   * the value itself where nothing is masked. Never changes the value.
   */
  json<Value>(value: Value): Value;
  /** One that also masks these values, which belong to one call. */
  with(values: readonly string[]): Redactor;
}

/** Shorter secrets are not looked for: they would be found in ordinary words. */
const SECRET_MIN = 6;
/** Values of one call that are shorter are masked only where they stand alone. */
const VALUE_MIN = 4;
/** Deeper parts of a value are masked whole. */
const DEPTH_LIMIT = 100;

const SECRET_NAME =
  "(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|passw(?:or)?d|pwd|(?:client[_-]?)?secret|api[_-]?key|(?:secret[_-]?)?access[_-]?key|(?:access|refresh|auth|id)?[_-]?token|private[_-]?key";

/**
 * Forms of credentials, what replaces them, and what stands in all of them. Each is matched in time linear in the text: no
 * repetition can be entered again inside of what it has already walked over, so nobody can make a log line cost seconds (ReDoS).
 */
const SHAPES: readonly (readonly [shape: RegExp, mask: string, part: string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s\\:,.]|-(?!----))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?/g,
    MASK,
    "-----BEGIN ",
  ],
  // As a member of JSON, up to the end of its text.
  [new RegExp(`(?<![A-Za-z0-9])(${SECRET_NAME})(":")(?:[^"\\\\]|\\\\.)*`, "gi"), `$1$2${MASK}`, '":"'],
  // A header, whose value may have spaces in it, up to the end of the line or of the JSON string.
  [
    /(?<![A-Za-z0-9])((?:proxy-)?authorization|(?:set-)?cookie)("?\s{0,4}[:=]\s{0,4}"?)[^"\r\n\\]+/gi,
    `$1$2${MASK}`,
    "",
  ],
  [/(?<![A-Za-z0-9])(bearer|basic)( {1,4})[A-Za-z0-9._~+/=-]{16,}/gi, `$1$2${MASK}`, " "],
  [
    new RegExp(`(?<![A-Za-z0-9])(${SECRET_NAME})("?\\s{0,4}[:=]\\s{0,4}"?)[^\\s"',;&\\\\]{3,}`, "gi"),
    `$1$2${MASK}`,
    "",
  ],
  [/(?<![\w-])eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]*/g, MASK, "eyJ"],
  [/(?<![a-z0-9])([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'\\]{1,1024}@/gi, `$1${MASK}@`, "://"],
  [
    /(?<![A-Za-z0-9])(?:cairn_[a-z0-9]{1,32}_(?=[\w-]{0,64}[A-Z0-9])[\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|[rs]k_(?:live|test)_\w{10,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,}|A[KS]IA[A-Z0-9]{16}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})/g,
    MASK,
    "",
  ],
];

const NAMED_SECRET = new RegExp(`^(?:${SECRET_NAME})$`, "i");

/** Characters of a text in which a shape can match, at least, and of one without any of the signs that the others need. */
const SHAPED_MIN = 6;
const UNSIGNED_MIN = 20;
const SIGNS = /[-_.:= ]/;
/** Characters up to which one look for all shapes costs less than each of them. */
const LOOK_LIMIT = 1000;
/** Matches wherever a shape does. */
const ANY_SHAPE = new RegExp(SHAPES.map(([{ source }]) => source).join("|"), "i");

/** Texts of numbers have no other characters. */
const LIKE_NUMBER = /^[-+.\deInfityNa]+$/;

/** Masks texts. */
interface Masker {
  readonly text: Redactor["text"];
  /** True where a number may be something to mask: its text has no shape. */
  readonly masksNumbers: boolean;
}

/** `secrets` are values of the configuration, masked wherever they turn up, also as JSON writes them. */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const long = secrets.filter(({ length }) => length >= SECRET_MIN);
  const known = longestFirst([...long, ...long.map((secret) => JSON.stringify(secret).slice(1, -1))]);
  return toRedactor({
    text: (text) => maskShapes(maskAll(text, known)),
    masksNumbers: known.some((secret) => LIKE_NUMBER.test(secret)),
  });
}

/** Knows no secrets but those that show by their form. */
export const SHAPES_ONLY: Redactor = createRedactor();

function maskShapes(text: string): string {
  const { length } = text;
  if (length < SHAPED_MIN || (length < UNSIGNED_MIN && !SIGNS.test(text))) return text;
  if (length < LOOK_LIMIT && !ANY_SHAPE.test(text)) return text;
  let masked = text;
  for (const [shape, mask, part] of SHAPES) if (masked.includes(part)) masked = masked.replace(shape, mask);
  return masked;
}

function maskAll(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) if (value.length <= masked.length) masked = masked.replaceAll(value, MASK);
  return masked;
}

function toRedactor(masker: Masker): Redactor {
  return Object.freeze({
    text: masker.text,
    json: <Value>(value: Value) => redactJson(value, masker, 0) as Value,
    with: (values: readonly string[]) => (values.length === 0 ? toRedactor(masker) : withValues(masker, values)),
  });
}

function withValues(base: Masker, values: readonly string[]): Redactor {
  // Of most calls, nothing is masked before they end, and of many nothing at all.
  let made: Masker | undefined;
  const masker = () => (made ??= createMasker(base, values));
  return Object.freeze({
    text: (text: string) => masker().text(text),
    json: <Value>(value: Value) => redactJson(value, masker(), 0) as Value,
    with: (more: readonly string[]) => withValues(masker(), more),
  });
}

function createMasker({ text, masksNumbers }: Masker, values: readonly string[]): Masker {
  const all = longestFirst(values.filter((value) => value !== ""));
  const findLong = createFindValues(all.filter(({ length }) => length >= VALUE_MIN));
  const short = new Set(all.filter(({ length }) => length < VALUE_MIN));
  return {
    text: (whole) => {
      let masked = maskAll(whole, findLong(whole));
      if (short.size > 0) masked = masked.replace(/[\p{L}\p{N}_.+-]+/gu, (word) => (short.has(word) ? MASK : word));
      return text(masked);
    },
    masksNumbers: masksNumbers || all.some((value) => LIKE_NUMBER.test(value)),
  };
}

function redactJson(value: unknown, masker: Masker, depth: number): unknown {
  if (typeof value === "string") return masker.text(value);
  // A number may be the value of a call that must not be shown.
  if (typeof value === "number") return masker.masksNumbers && isMasked(value, masker) ? MASK : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_LIMIT) return MASK;
  return Array.isArray(value) ? redactItems(value, masker, depth + 1) : redactMembers(value, masker, depth + 1);
}

function isMasked(value: number, { text }: Masker): boolean {
  return text(String(value)) !== String(value);
}

/** Copies from the first item that is masked on: most values have none, and copying costs more than looking. */
function redactItems(items: readonly unknown[], masker: Masker, depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const redacted = redactJson(items[index], masker, depth);
    if (copy === undefined && redacted !== items[index]) copy = items.slice(0, index);
    copy?.push(redacted);
  }
  return copy ?? items;
}

function redactMembers(object: object, masker: Masker, depth: number): object {
  const prototype: unknown = Object.getPrototypeOf(object);
  const isPlain = prototype === Object.prototype || prototype === null;
  let copy: [string, unknown][] | undefined = isPlain ? undefined : [];
  let count = 0;
  for (const name in object) {
    if (!isPlain && !Object.hasOwn(object, name)) continue;
    const inner: unknown = (object as Record<string, unknown>)[name];
    const [shown, redacted] = [masker.text(name), redactMember(name, inner, masker, depth)];
    if (copy === undefined && (shown !== name || redacted !== inner)) copy = Object.entries(object).slice(0, count);
    copy?.push([shown, redacted]);
    count += 1;
  }
  return copy === undefined ? object : Object.fromEntries(copy);
}

function redactMember(name: string, inner: unknown, masker: Masker, depth: number): unknown {
  return typeof inner === "string" && NAMED_SECRET.test(name) ? MASK : redactJson(inner, masker, depth);
}

function longestFirst(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}
