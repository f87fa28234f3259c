/** Text in place of masked text. */
export const MASK = "[redacted]";

/** Masks what must not leave: the secrets it was made for, and whatever has the form of a credential. */
export interface Redactor {
  text(text: string): string;
  /** A copy with every text in it masked, names of members included, and all that a secret's name stands before. */
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
 * Forms of credentials, and what replaces them. Each is matched in time linear in the text: no repetition can be entered
 * again inside of what it has already walked over, so nobody can make a log line cost seconds (ReDoS).
 */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s\\:,.]|-(?!----))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?/g,
    MASK,
  ],
  // As a member of JSON, up to the end of its text.
  [new RegExp(`(?<![A-Za-z0-9])(${SECRET_NAME})(":")(?:[^"\\\\]|\\\\.)*`, "gi"), `$1$2${MASK}`],
  // A header, whose value may have spaces in it, up to the end of the line or of the JSON string.
  [/(?<![A-Za-z0-9])((?:proxy-)?authorization|(?:set-)?cookie)("?\s{0,4}[:=]\s{0,4}"?)[^"\r\n\\]+/gi, `$1$2${MASK}`],
  [/(?<![A-Za-z0-9])(bearer|basic)( {1,4})[A-Za-z0-9._~+/=-]{16,}/gi, `$1$2${MASK}`],
  [new RegExp(`(?<![A-Za-z0-9])(${SECRET_NAME})("?\\s{0,4}[:=]\\s{0,4}"?)[^\\s"',;&\\\\]{3,}`, "gi"), `$1$2${MASK}`],
  [/(?<![\w-])eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]*/g, MASK],
  [/(?<![a-z0-9])([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'\\]{1,1024}@/gi, `$1${MASK}@`],
  [
    /(?<![A-Za-z0-9])(?:cairn_[a-z0-9]{1,32}_(?=[\w-]{0,64}[A-Z0-9])[\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|[rs]k_(?:live|test)_\w{10,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,}|A[KS]IA[A-Z0-9]{16}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})/g,
    MASK,
  ],
];

const NAMED_SECRET = new RegExp(`^(?:${SECRET_NAME})$`, "i");

/** `secrets` are values of the configuration, masked wherever they turn up, also as JSON writes them. */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const long = secrets.filter(({ length }) => length >= SECRET_MIN);
  const known = longestFirst([...long, ...long.map((secret) => JSON.stringify(secret).slice(1, -1))]);
  return toRedactor((text) => {
    let masked = text;
    for (const secret of known) masked = masked.replaceAll(secret, MASK);
    for (const [shape, mask] of SHAPES) masked = masked.replace(shape, mask);
    return masked;
  });
}

/** Knows no secrets but those that show by their form. */
export const SHAPES_ONLY: Redactor = createRedactor();

function toRedactor(text: Redactor["text"]): Redactor {
  return Object.freeze({
    text,
    json: <Value>(value: Value) => redactJson(value, text, 0) as Value,
    with: (values: readonly string[]) => (values.length === 0 ? toRedactor(text) : withValues(text, values)),
  });
}

function withValues(text: Redactor["text"], values: readonly string[]): Redactor {
  const all = longestFirst(values.filter((value) => value !== ""));
  const long = all.filter(({ length }) => length >= VALUE_MIN);
  const short = new Set(all.filter(({ length }) => length < VALUE_MIN));
  return toRedactor((whole) => {
    let masked = whole;
    for (const value of long) masked = masked.replaceAll(value, MASK);
    if (short.size > 0) masked = masked.replace(/[\p{L}\p{N}_.+-]+/gu, (word) => (short.has(word) ? MASK : word));
    return text(masked);
  });
}

function redactJson(value: unknown, text: Redactor["text"], depth: number): unknown {
  if (typeof value === "string") return text(value);
  // A number may be the value of a call that must not be shown.
  if (typeof value === "number") return text(String(value)) === String(value) ? value : MASK;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_LIMIT) return MASK;
  if (Array.isArray(value)) return value.map((item: unknown) => redactJson(item, text, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      text(name),
      typeof inner === "string" && NAMED_SECRET.test(name) ? MASK : redactJson(inner, text, depth + 1),
    ]),
  );
}

function longestFirst(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}
