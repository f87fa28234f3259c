/** Characters of JavaScript's `\s`, which are more than RE2's. */
const SPACE: readonly Range[] = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const DIGIT: readonly Range[] = [[0x30, 0x39]];
const WORD: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const LINE_BREAK: readonly Range[] = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x2028, 0x2029],
];
const LAST = 0x10ffff;

type Range = readonly [first: number, last: number];

/** Reason why a pattern cannot be checked in linear time. */
export interface Refusal {
  readonly refused: string;
  readonly fix?: string;
}

/**
 * The RE2 pattern that matches exactly where `source` does as a JavaScript pattern with the `u` flag. Everything that
 * the two languages read differently is spelled out as code points. Groups capture nothing: only `test` is asked for.
 * `source` must be valid as such a pattern.
 */
export function toRe2(source: string): string | Refusal {
  let result = "";
  for (const token of source.match(TOKEN) ?? []) {
    const translated = token.startsWith("[") ? toClass(token.slice(1, -1).match(CLASS_TOKEN) ?? []) : toPart(token);
    if (typeof translated !== "string") return translated;
    result += translated;
  }
  return result;
}

const ESCAPE =
  /\\u\{[0-9A-Fa-f]+\}|\\u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\c[A-Za-z]|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\[1-9][0-9]*|\\./
    .source;
const CLASS_TOKEN = new RegExp(`${ESCAPE}|.`, "gsu");
const TOKEN = new RegExp(
  `${ESCAPE}|\\[(?:\\\\.|[^\\]\\\\])*\\]|\\(\\?<?[=!]|\\(\\?<[^>]*>|\\(\\?[a-z-]*:|\\{[0-9,]+\\}|.`,
  "gsu",
);

function toPart(token: string): string | Refusal {
  if (token === ".") return toSet(complement(LINE_BREAK));
  if (token === "\\b" || token === "\\B") return token;
  if (token === "(?=" || token === "(?!") return { refused: "looks ahead (`(?=` or `(?!`)" };
  if (token === "(?<=" || token === "(?<!") return { refused: "looks behind (`(?<=` or `(?<!`)" };
  if (/^\\(?:[1-9]|k)/.test(token)) return { refused: `refers back to a group (\`${token}\`)` };
  if (token === "(" || token === "(?:" || token.startsWith("(?<")) return "(?:";
  if (token.startsWith("(?")) return { refused: `switches flags inside (\`${token}\`)` };
  if (token.startsWith("{") || /^[)|*+?^$]$/.test(token)) return token;
  const property = toProperty(token);
  if (property !== undefined) return property;
  const ranges = toRanges(token);
  return ranges ? toSet(ranges) : toCodePoint(readCharacter(token));
}

function toClass(tokens: readonly string[]): string | Refusal {
  const negated = tokens[0] === "^";
  const items = negated ? tokens.slice(1) : tokens;
  if (items.length === 0) return toSet(negated ? [[0, LAST]] : []);
  let result = "";
  for (let index = 0; index < items.length; index++) {
    const token = items[index] ?? "";
    const property = toProperty(token);
    if (typeof property === "object") return property;
    const ranges = toRanges(token);
    const last = items[index + 2];
    if (property !== undefined) result += property;
    else if (ranges) result += ranges.map(toRange).join("");
    else if (items[index + 1] === "-" && last !== undefined) {
      result += toRange([readCharacter(token), readCharacter(last)]);
      index += 2;
    } else result += toCodePoint(readCharacter(token));
  }
  return `[${negated ? "^" : ""}${result}]`;
}

function toRanges(token: string): readonly Range[] | undefined {
  const ranges = { "\\d": DIGIT, "\\w": WORD, "\\s": SPACE }[token.toLowerCase()];
  return ranges && token !== token.toLowerCase() ? complement(ranges) : ranges;
}

/** General categories by their short names, and scripts: what both know by the same name. */
function toProperty(token: string): string | Refusal | undefined {
  const [, sign, name] = /^\\([pP])\{(.*)\}$/.exec(token) ?? [];
  if (sign === undefined || name === undefined) return undefined;
  const known = /^(?:(?:gc|General_Category)=)?([A-Z][a-z]?)$/.exec(name) ?? /^(?:sc|Script)=(\w{3,})$/.exec(name);
  return known ? `\\${sign}{${known[1]}}` : { refused: `asks for the property \`${token}\`` };
}

function readCharacter(token: string): number {
  const hex = token.match(/[0-9A-Fa-f]{2,}/g);
  if (/^\\u[Dd][89ABab]..\\/.test(token) && hex) {
    const [high = 0, low = 0] = hex.map((digits) => Number.parseInt(digits, 16));
    return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
  }
  if (/^\\[ux]/.test(token)) return Number.parseInt(token.replace(/[^0-9A-Fa-f]/g, ""), 16);
  if (token.startsWith("\\c")) return (token.codePointAt(2) ?? 0) % 32;
  if (token.startsWith("\\")) return ESCAPES[token.slice(1)] ?? token.codePointAt(1) ?? 0;
  return token.codePointAt(0) ?? 0;
}

const ESCAPES: Readonly<Record<string, number>> = { "0": 0, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function complement(ranges: readonly Range[]): readonly Range[] {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  return starts.map((start, index): Range => [start, (ranges[index]?.[0] ?? LAST + 1) - 1]);
}

function toSet(ranges: readonly Range[]): string {
  return ranges.length === 0 ? `[^${toRange([0, LAST])}]` : `[${ranges.map(toRange).join("")}]`;
}

function toRange([first, last]: Range): string {
  return first === last ? toCodePoint(first) : `${toCodePoint(first)}-${toCodePoint(last)}`;
}

function toCodePoint(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
