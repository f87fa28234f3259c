/** Where a text to be replaced stands in a file, and what is to stand there; or a sentence about why it has no such place. */
export type Place =
  | { readonly ok: true; readonly start: number; readonly end: number; readonly put: string }
  | { readonly ok: false; readonly fault: string };

/** Signs that models repeat from what they were shown, before each line: `| `, `> `, `12| `, `12: `, `+ `. */
const QUOTING: readonly RegExp[] = [/^ {0,4}\d+ ?[|:→\t] ?/, /^ {0,2}\| ?/, /^ {0,2}> ?/];
/** Lines of the file that a miss is answered with, and their characters. */
const SHOWN_LINES = 6;
const LINE_LENGTH = 200;
/** Lines of a file that are searched for what is near. */
const SEARCHED_LINES = 4000;
/** Words of a line, and lines, of a text that may differ in white space; a longer one has to be exact. */
const TOLERATED_WORDS = 200;
const TOLERATED_LINES = 400;
/** Places that an ambiguous text is said to stand at. */
const SHOWN_PLACES = 5;

/**
 * Finds the one place of a text in a file. The exact text wins. Otherwise white space counts as equal, whole lines may stand at
 * another depth, to which their replacement is moved, and signs of quoting before each line do not count. Never guesses
 * between two places.
 */
export function findPlace(text: string, find: string, put: string): Place {
  const forms = [[find, put] as const, ...QUOTING.flatMap((sign) => withoutSign(sign, find, put))];
  for (const [wanted, instead] of forms) {
    const exact = placeAll(text, wanted);
    if (exact.length > 1) return ambiguous(text, exact);
    const [start] = exact;
    if (start !== undefined) return { ok: true, start, end: start + wanted.length, put: instead };
  }
  for (const [wanted, instead] of forms) {
    const found = wanted.trim().includes("\n") ? findLines(text, wanted, instead) : findWords(text, wanted, instead);
    if (found !== undefined) return found;
  }
  return { ok: false, fault: `does not stand in the file. ${showNearest(text, forms.at(-1)?.[0] ?? find)}` };
}

/** The texts without a sign before each line, where each line of the searched text has one. */
function withoutSign(sign: RegExp, find: string, put: string): readonly (readonly [string, string])[] {
  const isSigned = (text: string) => text.split("\n").every((line) => line.trim() === "" || sign.test(line));
  if (!isSigned(find)) return [];
  const strip = (text: string) =>
    text
      .split("\n")
      .map((line) => line.replace(sign, ""))
      .join("\n");
  return [[strip(find), isSigned(put) ? strip(put) : put]];
}

function placeAll(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  if (wanted === "") return starts;
  for (let at = text.indexOf(wanted); at >= 0 && starts.length <= SHOWN_PLACES; at = text.indexOf(wanted, at + 1)) {
    starts.push(at);
  }
  return starts;
}

function ambiguous(text: string, starts: readonly number[]): Place {
  const lines = starts.slice(0, SHOWN_PLACES).map((start) => text.slice(0, start).split("\n").length);
  const more = starts.length > SHOWN_PLACES ? " and others" : "";
  return {
    ok: false,
    fault: `stands in the file more than once, in lines ${[...new Set(lines)].join(", ")}${more}. Add lines around it.`,
  };
}

/** A part of a line, however its words are parted. */
function findWords(text: string, wanted: string, put: string): Place | undefined {
  const words = wanted.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0 || words.length > TOLERATED_WORDS) return undefined;
  const pattern = new RegExp(words.map((word) => RegExp.escape(word)).join("[ \\t]+"), "g");
  const found = [...text.matchAll(pattern)];
  const [only] = found;
  if (only === undefined) return undefined;
  if (found.length > 1) {
    return ambiguous(
      text,
      found.map(({ index }) => index),
    );
  }
  return { ok: true, start: only.index, end: only.index + only[0].length, put: put.trim() };
}

/** Whole lines, at whatever depth. */
function findLines(text: string, wanted: string, put: string): Place | undefined {
  const plain = (line: string) => line.trim().replaceAll(/\s+/g, " ");
  const lines = text.split("\n");
  const asked = trimEmpty(wanted.split("\n"));
  if (asked.length > TOLERATED_LINES) return undefined;
  const keys = asked.map(plain);
  const all = lines.map(plain);
  const starts = all.flatMap((_, at) => (keys.every((key, offset) => all[at + offset] === key) ? [at] : []));
  const offsetOf = (line: number) => lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  const [first] = starts;
  if (first === undefined) return undefined;
  if (starts.length > 1) return ambiguous(text, starts.map(offsetOf));
  const start = offsetOf(first);
  const end = start + lines.slice(first, first + keys.length).join("\n").length;
  const shift = depthOf(lines[first] ?? "") - depthOf(asked[0] ?? "");
  return {
    ok: true,
    start,
    end,
    put: trimEmpty(put.split("\n"))
      .map((line) => move(line, shift))
      .join("\n"),
  };
}

function trimEmpty(lines: readonly string[]): readonly string[] {
  const isFull = (line: string) => line.trim() !== "";
  const first = lines.findIndex(isFull);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isFull) + 1);
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

function move(line: string, shift: number): string {
  if (line.trim() === "") return "";
  return shift >= 0 ? " ".repeat(shift) + line : line.slice(Math.min(-shift, depthOf(line)));
}

/** The lines of the file that are most like those that were searched, with their numbers. */
function showNearest(text: string, wanted: string): string {
  const lines = text.split("\n").slice(0, SEARCHED_LINES);
  const asked = trimEmpty(wanted.split("\n")).slice(0, SHOWN_LINES).map(toWords);
  const words = lines.map(toWords);
  const scoreAt = (at: number) =>
    asked.reduce((sum, one, offset) => sum + likeness(one, words[at + offset] ?? new Set()), 0);
  const [best] = lines.map((_, at) => [scoreAt(at), at] as const).toSorted(([a, x], [b, y]) => b - a || x - y);
  if (best === undefined || best[0] === 0) return "Read it first.";
  const from = Math.max(0, best[1] - 1);
  const shown = lines.slice(from, from + Math.max(asked.length + 2, 3));
  return `The nearest lines are:\n${shown.map((line, offset) => `${from + offset + 1}: ${line.slice(0, LINE_LENGTH)}`).join("\n")}`;
}

function toWords(line: string): ReadonlySet<string> {
  return new Set(line.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
}

/** From 0 to 1: the part of the words of both that both have. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - both;
  return all === 0 ? 0 : both / all;
}
