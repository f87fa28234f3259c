/** A text as somebody reads it who decodes it: each character with the range of the original that it was written as. */
export interface View {
  readonly text: string;
  /** Offsets in the original at which characters begin and end. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Names of ASCII signs in HTML that encoders write. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  ast: "*",
  bsol: "\\",
  colon: ":",
  comma: ",",
  commat: "@",
  dollar: "$",
  equals: "=",
  excl: "!",
  grave: "`",
  gt: ">",
  hat: "^",
  lbrace: "{",
  lbrack: "[",
  lcub: "{",
  lowbar: "_",
  lpar: "(",
  lsqb: "[",
  lt: "<",
  num: "#",
  percnt: "%",
  period: ".",
  plus: "+",
  quest: "?",
  quot: '"',
  rbrace: "}",
  rbrack: "]",
  rcub: "}",
  rpar: ")",
  rsqb: "]",
  semi: ";",
  sol: "/",
  verbar: "|",
  vert: "|",
};
const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** One character that is escaped for URLs, JSON, JavaScript or HTML, and zeros of UTF-16 that was read as UTF-8. */
const ESCAPE =
  /%(?<url>[0-9a-f]{2})|\\u(?<u>[0-9a-f]{4})|\\u\{0{0,6}(?<brace>[0-9a-f]{1,4})\}|\\x(?<x>[0-9a-f]{2})|\\(?<octal>[0-3][0-7]{2})|&#0{0,6}(?<decimal>\d{1,5});?|&#x0{0,6}(?<hex>[0-9a-f]{1,4});?|&(?<name>[a-z]{2,6});|\\(?<sign>[^\w\s\0]|[nrtbf])|(?<zero>\0)/gi;

/** Kinds of runs that hold bytes: their digits, what may stand between these, and how many bits each has. */
const RUNS = [
  { encoding: "base64", bits: 6, digits: /[\w+/-]+(?:[\r\n]{1,2}[\w+/-]+)*/g, between: /[\r\n]+/g },
  {
    encoding: "hex",
    bits: 4,
    digits: /[0-9a-f]+(?:[\s:,-]{0,2}(?:0x|\\x)?[0-9a-f]+)*/gi,
    between: /[\s:,-]{0,2}(?:0x|\\x)|[\s:,-]{1,2}/gi,
  },
] as const;

/** Creates the view of a text in which nothing is decoded. */
export function createView(text: string): View {
  const starts = Uint32Array.from({ length: text.length }, (_, at) => at);
  return { text, starts, ends: starts.map((at) => at + 1) };
}

/** Decodes escapes of characters, one level of them; `undefined` where there is none. */
export function decodeEscapes({ text, starts, ends }: View): View | undefined {
  const pieces: string[] = [];
  const decodedStarts = new Uint32Array(text.length);
  const decodedEnds = new Uint32Array(text.length);
  let size = 0;
  let end = 0;
  const copyTo = (to: number) => {
    pieces.push(text.slice(end, to));
    decodedStarts.set(starts.subarray(end, to), size);
    decodedEnds.set(ends.subarray(end, to), size);
    size += to - end;
  };
  for (const { 0: escape, index, groups = {} } of text.matchAll(ESCAPE)) {
    const decoded = toCharacter(groups);
    if (decoded === undefined) continue;
    copyTo(index);
    end = index + escape.length;
    if (decoded === "") continue;
    pieces.push(decoded);
    decodedStarts[size] = starts[index] ?? 0;
    decodedEnds[size] = ends[end - 1] ?? 0;
    size += 1;
  }
  if (end === 0) return undefined;
  copyTo(text.length);
  return { text: pieces.join(""), starts: decodedStarts.subarray(0, size), ends: decodedEnds.subarray(0, size) };
}

/**
 * Decodes the runs of base64 (both alphabets, lines of any length) and of hexadecimal digits that can hold `least` bytes, from
 * each of the digits with which a byte may begin.
 */
export function* decodeRuns(view: View, least: number): Generator<View> {
  for (const { encoding, bits, digits, between } of RUNS) {
    for (const { 0: run, index } of view.text.matchAll(digits)) {
      if (run.length * bits < least * 8) continue;
      const { text, places } = withoutGaps(run, between);
      for (
        let skipped = 0;
        skipped < 8 / (bits === 6 ? 2 : 4) && (text.length - skipped) * bits >= least * 8;
        skipped += 1
      ) {
        const placeOf = (digit: number) => {
          const at = Math.min(skipped + digit, text.length - 1);
          return index + (places === undefined ? at : (places[at] ?? 0));
        };
        yield decodeRun(view, Buffer.from(text.slice(skipped), encoding), (bit) => placeOf(Math.floor(bit / bits)));
      }
    }
  }
}

/** Takes out what stands between digits; `places` has the offsets of those that are left, where any moved. */
function withoutGaps(run: string, between: RegExp): { readonly text: string; readonly places?: Uint32Array } {
  const pieces: string[] = [];
  const places = new Uint32Array(run.length);
  let size = 0;
  let end = 0;
  const copyTo = (to: number) => {
    pieces.push(run.slice(end, to));
    for (let at = end; at < to; at += 1, size += 1) places[size] = at;
  };
  for (const { 0: gap, index } of run.matchAll(between)) {
    copyTo(index);
    end = index + gap.length;
  }
  if (end === 0) return { text: run };
  copyTo(run.length);
  return { text: pieces.join(""), places };
}

function decodeRun({ starts, ends }: View, bytes: Buffer, placeOf: (bit: number) => number): View {
  const [from, to] = [new Uint32Array(bytes.length), new Uint32Array(bytes.length)];
  for (let at = 0; at < bytes.length; at += 1) {
    from[at] = starts[placeOf(at * 8)] ?? 0;
    to[at] = ends[placeOf(at * 8 + 7)] ?? 0;
  }
  return { text: bytes.toString("latin1"), starts: from, ends: to };
}

function toCharacter(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { url, u, brace, x, octal, decimal, hex, name, sign, zero } = groups;
  if (zero !== undefined) return "";
  if (sign !== undefined) return LETTERS[sign] ?? sign;
  if (name !== undefined) return NAMED[name.toLowerCase()];
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  return String.fromCharCode(Number.parseInt(url ?? u ?? brace ?? x ?? hex ?? "", 16));
}
