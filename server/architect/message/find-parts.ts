import { findBalance } from "./find-quotations.ts";
import type { Data, Span } from "./message.ts";

/** Sentences of the sender that stand together, or data beside them. */
export type Part = ({ readonly kind: "prose" } & Span) | FoundData;
export type FoundData = Pick<Data, "kind" | "form" | "language" | "text" | "start" | "end">;

const FENCE = /^(\s*(?:(?:[-*•]|\d{1,3}[.)])\s+)?)(`{3,}|~{3,})[ \t]*([\w+-]*)[^`\n]*$/;
const DIFF = /^(?:diff --git a\/|--- (?:a\/|\/dev\/null))/;
const BULLET = /^\s*(?:[-*•]|\d{1,3}[.)])\s/;
const MARK = /^\s*>/;
/** Data that HTML has tags for; what a comment says is not shown to anybody. */
const TAG = /<!--|<(blockquote|pre|details|template|script|style)\b[^>]{0,200}>/i;
/** Lines that mail programs put above the mail that was answered or passed on. */
const MAIL_HEADS: readonly RegExp[] = [
  /^\s*[-_]{2,}\s*(?:original message|forwarded message|forwarded by\b.*|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje (?:original|reenviado))\s*[-_]*\s*$/i,
  /^\s*begin forwarded message:?\s*$/i,
  /^\s*(?:on|am|le|el)\s.{4,200}\b(?:wrote|schrieb|a écrit|escribió)\b.{0,120}:\s*$/i,
  /^.{0,120}<[^>\s]{1,120}@[^>\s]{1,120}>.{0,40}\bwrote:\s*$/i,
];
const SENDER = /^\s*\*{0,2}(?:From|Von|De):\*{0,2}\s+\S/;
const HEADER =
  /^\s*\*{0,2}(?:From|Von|De|Sent|Date|Datum|Gesendet|Fecha|To|An|À|Para|Cc|Subject|Betreff|Objet|Asunto):\*{0,2}\s/;

/** Takes a text apart into what the sender wrote as sentences, and data. Knows nothing of what either means. */
export function findParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  const common = findCommonIndent(text);
  let prose: number | undefined;
  for (let at = 0; at < text.length;) {
    const line = text.slice(at, endOfLine(text, at));
    const isFirst = at === 0 || text[at - 1] === "\n";
    const data = (isFirst ? findAtLine(text, at, line, common) : undefined) ?? findTag(text, at, line);
    if (data === undefined) {
      prose ??= at;
      at += line.length + 1;
      continue;
    }
    prose ??= at;
    if (prose < data.start) parts.push({ kind: "prose", start: prose, end: data.start });
    prose = undefined;
    parts.push(data);
    at = data.end;
  }
  if (prose !== undefined) parts.push({ kind: "prose", start: prose, end: text.length });
  return parts.filter((part) => part.kind === "data" || text.slice(part.start, part.end).trim() !== "");
}

function findAtLine(text: string, at: number, line: string, common: number): FoundData | undefined {
  return (
    findFenced(text, at, line) ??
    findMarked(text, at, line) ??
    findForwarded(text, at, line) ??
    findDiff(text, at, line) ??
    findJson(text, at, line) ??
    findIndented(text, at, line, common)
  );
}

/** Up to its closing fence; like in CommonMark, to the end of the text where there is none. */
function findFenced(text: string, start: number, line: string): FoundData | undefined {
  const [, indent = "", fence = "", language = ""] = FENCE.exec(line) ?? [];
  if (fence === "") return undefined;
  const closing = new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`);
  const first = start + line.length + 1;
  let at = first;
  while (at < text.length && !closing.test(text.slice(at, endOfLine(text, at)))) at = endOfLine(text, at) + 1;
  const lines = text.slice(first, Math.min(at, text.length)).replace(/\n$/, "");
  const inner = lines === "" ? "" : `${dedent(lines, indent.length)}\n`;
  return toData("fenced", start, Math.min(text.length, endOfLine(text, at) + 1), inner, language);
}

/** Lines behind `>`, with those that a mail program has broken off them. */
function findMarked(text: string, start: number, line: string): FoundData | undefined {
  if (!MARK.test(line)) return undefined;
  let at = start;
  while (at < text.length) {
    const next = text.slice(at, endOfLine(text, at));
    if (!MARK.test(next) && !/^[a-z,)\]]/.test(next)) break;
    at = endOfLine(text, at) + 1;
  }
  const end = Math.min(at, text.length);
  return toData("marked", start, end, text.slice(start, end).replaceAll(/^\s*(?:>[ \t]?)+/gm, ""));
}

/** A mail below its head: the lines behind `>` that follow it, or else all that follows. */
function findForwarded(text: string, start: number, line: string): FoundData | undefined {
  const next = start + line.length + 1;
  const second = text.slice(next, endOfLine(text, next));
  const isHead = (head: string) => MAIL_HEADS.some((pattern) => pattern.test(head));
  // Long heads are broken over two lines.
  const isBroken = line.trim() !== "" && !isHead(line) && !/[.!?:]\s*$/.test(line) && isHead(`${line} ${second}`);
  if (!isHead(line) && !isBroken && !(SENDER.test(line) && HEADER.test(second))) return undefined;
  const first = Math.min(text.length, isBroken ? next + second.length + 1 : next);
  const from = first + (/^(?:[ \t]*\n)*/.exec(text.slice(first))?.[0].length ?? 0);
  const marked = findMarked(text, from, text.slice(from, endOfLine(text, from)));
  return marked === undefined
    ? toData("forwarded", start, text.length, text.slice(start))
    : toData("forwarded", start, marked.end, marked.text);
}

/** Nothing tells where a diff ends that is not fenced: it is the rest. */
function findDiff(text: string, start: number, line: string): FoundData | undefined {
  if (!DIFF.test(line)) return undefined;
  return toData("diff", start, text.length, `${text.slice(start).trimEnd()}\n`);
}

/** An object, or a list of them, that lines consist of. */
function findJson(text: string, start: number, line: string): FoundData | undefined {
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  const open = start + indent;
  if (!/^(?:\{|\[\s*(?:\{|$))/.test(line.slice(indent))) return undefined;
  const close = text.lastIndexOf("}") < open ? undefined : findBalance(text, open);
  if (close === undefined) return undefined;
  const end = endOfLine(text, close);
  if (!/^[\s.,;]*$/.test(text.slice(close, end))) return undefined;
  return toData("json", start, Math.min(text.length, end + 1), text.slice(open, close));
}

/** Lines indented by four or more below an empty line; inside of a list, by six. */
function findIndented(text: string, start: number, line: string, common: number): FoundData | undefined {
  const isIndented = (one: string, least: number) => widthOf(one) >= least && one.trim() !== "" && !BULLET.test(one);
  if (!isIndented(line, common + 4)) return undefined;
  const above = lineBefore(text, start);
  if (above !== undefined && text.slice(above, start).trim() !== "") return undefined;
  let last = above;
  while (last !== undefined && text.slice(last, endOfLine(text, last)).trim() === "") last = lineBefore(text, last);
  const isInList = last !== undefined && BULLET.test(text.slice(last, endOfLine(text, last)));
  const least = common + (isInList ? 6 : 4);
  if (!isIndented(line, least)) return undefined;
  let at = start;
  let end = start;
  while (at < text.length) {
    const next = text.slice(at, endOfLine(text, at));
    if (next.trim() !== "" && !isIndented(next, least)) break;
    at += next.length + 1;
    if (next.trim() !== "") end = Math.min(at, text.length);
  }
  return toData("indented", start, end, dedent(text.slice(start, end), least));
}

/** Finds the text between tags, from the first tag in a line on. */
function findTag(text: string, at: number, line: string): FoundData | undefined {
  const tag = TAG.exec(line);
  if (tag === null) return undefined;
  const start = at + tag.index;
  const name = tag[1];
  const close = name === undefined ? "-->" : `</${name}>`;
  const inner = start + tag[0].length;
  const found = text.toLowerCase().indexOf(close.toLowerCase(), inner);
  const end = found < 0 ? text.length : found + close.length;
  return toData(name === undefined ? "comment" : "marked", start, end, text.slice(inner, found < 0 ? end : found));
}

function toData(form: Data["form"], start: number, end: number, text: string, written = ""): FoundData {
  return { kind: "data", form, language: toLanguage(text, written), text, start, end };
}

/** Returns the declared language of a block, or the one that it looks like. */
export function toLanguage(text: string, written = ""): string {
  return DIFF.test(text.trimStart()) ? "diff" : written.toLowerCase();
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Finds the start of the line above; undefined for the first line. */
function lineBefore(text: string, start: number): number | undefined {
  if (start === 0) return undefined;
  return start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
}

function dedent(text: string, width: number): string {
  return text.replaceAll(new RegExp(`^(?: {1,${Math.max(width, 1)}}|\t)`, "gm"), (indent) =>
    width === 0 ? indent : "",
  );
}

function widthOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}

/** Of a text that is indented as a whole. */
function findCommonIndent(text: string): number {
  const widths = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [widthOf(line)]));
  return widths.length === 0 ? 0 : widths.reduce((least, width) => Math.min(least, width));
}
