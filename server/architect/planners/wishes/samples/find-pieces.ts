import { isErrorName } from "../../../../errors.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";

/** A part of a message that may be a value of an example. */
export interface Piece {
  /** As it is written, without quotation marks. */
  readonly text: string;
  readonly kind: "quoted" | "number" | "date" | "time" | "code" | "word";
  readonly number?: number;
  readonly tokens: readonly number[];
  /** True: it stands behind the words that say what comes of a call. */
  readonly isResult: boolean;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  /** True: the message tells what is given from what comes of it. */
  readonly isParted: boolean;
  /** Name of the error that the call ends with. */
  readonly error?: string;
  /** True: the call finds nothing. */
  readonly isEmpty: boolean;
  /** Words that say that something comes of a call, which error, or that it is nothing. */
  readonly words: readonly number[];
}

const RESULT =
  /(?<!\p{L})(?:gives?|giving|returns?|returning|yields?|results?(?: in| is)?|comes? back(?: as| with)?|(?:ends?|ending|fails?|failing|answers?|answering|rejected|rejects?)(?: in| with)?|outputs?|ergibt|ergeben|liefert|gibt|kommt|ergebnis|antwort|résultat|réponse|renvoie|donne|retourne|devuelve|resultado|respuesta|返回|结果|得到)(?!\p{L})|[-=]+>|→|⇒|返回|结果/giu;
/** "Nothing comes back" tells the result before its verb. */
const NONE =
  /(?<!\p{L})(?:nothing|empty|none|no \p{L}+ (?:comes? back|(?:is|are) (?:found|returned|given|listed))|nichts|leer|nada|vacío|vacía|rien|vide|(?:no|keine?|without(?: any)?|sin|aucune?|ningún|ohne) (?:hits?|results?|matches|treffer|resultados|résultats?))(?!\p{L})|没有|空的?/giu;
const BACK =
  /(?<!\p{L})(?:nothing|nichts|nada|rien) (?:comes|is|was|kommt|se|ne|does|will|should|at all|fits?)(?!\p{L})|(?<!\p{L})no \p{L}+ (?:comes? back|(?:is|are) (?:found|returned|given|listed))(?!\p{L})/iu;
/** "No products" says so only behind what tells the result. */
const NO = /(?<!\p{L})(?:no|keinen?|keine|aucune?|ning[uú]n[oa]?s?|sin) \p{L}+/giu;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?$/;
const CODE = /^(?=.*(?:\d|[-_/.@])).+$|^\p{Lu}{2,}$/u;

/** Takes a message apart into what may be values of an example, and what says how its call ends. */
export function findPieces(clause: Clause): Pieces {
  const { text } = clause;
  const whole = joinTokens(clause);
  const marks = [...text.matchAll(RESULT)].filter(({ index }) => !isQuoted(clause, index));
  const isBehind = (end: number) => whole.some(({ start }) => start >= end);
  const worded = marks.filter(({ 0: source, index }) => /\p{L}/u.test(source) && isBehind(index + source.length));
  const mark = worded.at(-1) ?? marks.findLast(({ 0: source, index }) => isBehind(index + source.length));
  const from = mark === undefined ? Infinity : mark.index + mark[0].length;
  const end = from + Math.max(0, mark === undefined ? 0 : `${text.slice(from)}. `.search(/[.!?](?=\s|$)|。/u));
  const errors = clause.tokens.flatMap(({ text: own }, at) =>
    /^[A-Z_]{4,}$/.test(own) && isErrorName(own) ? [at] : [],
  );
  const nones = [
    ...[...text.matchAll(NONE)].filter(
      ({ index }) => index >= from || BACK.test(text.slice(index)) || mark === undefined,
    ),
    ...[...text.matchAll(NO)].filter(({ index }) => index >= from && index < end),
  ].filter(({ index }) => !isQuoted(clause, index));
  const isWithin = (start: number, spans: readonly { 0: string; index: number }[]) =>
    spans.some(({ 0: source, index }) => start >= index && start < index + source.length);
  const pieces = whole
    .filter(({ start }) => mark === undefined || start < end)
    .map(({ start, ...piece }) => ({ ...piece, isResult: start >= from }))
    .filter(({ tokens }) => !tokens.some((at) => errors.includes(at)))
    .filter(({ tokens: [at = 0] }) => !isWithin(clause.tokens[at]?.start ?? 0, [...marks, ...nones]));
  const [error = -1] = errors;
  const said = clause.tokens.flatMap(({ start }, at) => (isWithin(start, [...marks, ...nones]) ? [at] : []));
  return {
    pieces,
    isParted: mark !== undefined && pieces.some(({ isResult }) => isResult),
    ...(error < 0 ? {} : { error: clause.tokens[error]?.text ?? "" }),
    isEmpty: error < 0 && nones.length > 0,
    words: [...errors, ...said],
  };
}

/** The pieces without what only names tools. */
export function withoutNames(found: Pieces, { version }: Places): Pieces {
  const names = [...version.tools.keys()].flatMap((name) => [name, name.split(".").at(-1) ?? name]);
  const tools = new Set(names.filter((name) => /[._]/.test(name)));
  return { ...found, pieces: found.pieces.filter(({ text, kind }) => kind === "quoted" || !tools.has(text)) };
}

function isQuoted({ tokens }: Clause, index: number): boolean {
  return tokens.some(({ kind, start, end }) => kind === "quoted" && index >= start && index < end);
}

/** Words, and what is written without a blank between: `2026-09-14`, `10:30`, `anvil/hammer`. */
function joinTokens({ text, tokens, amounts }: Clause): readonly (Omit<Piece, "isResult"> & { start: number })[] {
  const found: (Omit<Piece, "isResult"> & { start: number })[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, start, end, text: own, value } = tokens[at] ?? {};
    if (kind === undefined || kind === "sign" || start === undefined || end === undefined) continue;
    if (kind === "quoted") {
      found.push({ kind, text: own ?? "", tokens: [at], start });
      continue;
    }
    let last = at;
    while (last + 1 < tokens.length && tokens[last + 1]?.start === tokens[last]?.end && isJoint(tokens[last + 1]?.text))
      last += 1;
    while (last > at && tokens[last]?.kind === "sign") last -= 1;
    const joined = text.slice(start, tokens[last]?.end ?? end);
    const range = tokens.slice(at, last + 1).map((_, offset) => at + offset);
    const isMoment = DATE.test(joined) || TIME.test(joined);
    const isCode = !/\p{Script=Han}/u.test(joined) && CODE.test(joined);
    if (last > at && (isMoment || isCode)) {
      found.push({
        kind: DATE.test(joined) ? "date" : TIME.test(joined) ? "time" : "code",
        text: joined,
        tokens: range,
        start,
      });
      at = last;
    } else if (kind === "number") found.push({ kind, text: own ?? "", number: value ?? 0, tokens: [at], start });
    else {
      const amount = amounts.find(({ tokens: words }) => words.includes(at) && words[0] === at);
      found.push({
        kind: isCode ? "code" : "word",
        text: (/\p{Script=Han}/u.test(own ?? "") ? (own ?? "") : text.slice(start, end))
          .replace(/^[^\p{L}\p{N}]+/u, "")
          .replace(/['’]s$/, ""),
        ...(amount === undefined ? {} : { number: amount.value }),
        tokens: [at],
        start,
      });
    }
  }
  return found;
}

/** Tells whether a token may go on what stands right before it. */
function isJoint(text = ""): boolean {
  return /^[-:/.@+_]$/.test(text) || /^[-+]?[\p{L}\d]/u.test(text);
}
