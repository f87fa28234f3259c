import { refuse } from "../../guard/refuse.ts";
import type { Bench } from "./bench.ts";

/** Lines of a diff that belong together, with what says where. */
interface Loose {
  readonly header: string;
  /** Each with its sign. */
  readonly lines: readonly string[];
}

interface Section {
  /** Lines before the first hunk. */
  readonly head: readonly string[];
  readonly hunks: readonly Loose[];
}

const NUMBERED = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const HUNK = /^@@/;
const HEAD =
  /^(?:diff --git |index |--- |\+\+\+ |new file mode |deleted file mode |old mode |new mode |similarity index |rename (?:from|to) |GIT binary patch|Binary files )/;
/** Lines of a file that a diff may leave out between two that it shows. */
const GAP = 12;
const ACCEPTED = "Send a unified diff made against the version that is asked: `git diff v<version>`.";

/** How far a diff may be from what programs write. */
export interface Leeway {
  /** The file that is meant where the diff names none. */
  readonly file?: string;
  /** True: numbers of lines may be wrong. */
  readonly isMiscounted?: boolean;
}

/**
 * Completes a diff as people write it by hand: without `a/` and `b/`, without numbers of lines, with lines left out or another
 * indentation. What is complete stays as it is. Refuses what fits no place, or several.
 */
export async function completeDiff(
  bench: Bench,
  text: string,
  { file, isMiscounted = false }: Leeway,
): Promise<string> {
  if (!isLoose(text, isMiscounted)) return text;
  const sections = readSections(text);
  const done: string[] = [];
  for (const { head, hunks } of sections) {
    const names = toNames(head, file);
    if (names === undefined) throw refuse("The diff does not say which file it changes.", ACCEPTED);
    const old = names.from === undefined ? undefined : await bench.read(names.from);
    if (old === undefined) return text;
    done.push(...names.head, ...placeHunks(old, hunks, names.from ?? ""));
  }
  return `${done.join("\n")}\n`;
}

/** Checks whether a diff has no header that names its file. */
export function isNameless(text: string): boolean {
  return !/^(?:diff --git |--- |\+\+\+ )/m.test(text) && /^[+-]/m.test(text);
}

function isLoose(text: string, isMiscounted: boolean): boolean {
  if (isNameless(text) || /^(?:--- |\+\+\+ )(?!(?:[ab]\/|\/dev\/null))/m.test(text)) return true;
  const hunks = readSections(text).flatMap((section) => section.hunks);
  return hunks.some((hunk) => !NUMBERED.test(hunk.header) || (isMiscounted && !isCounted(hunk)));
}

/** Checks that a hunk has as many lines as its header says. */
function isCounted({ header, lines }: Loose): boolean {
  const [, , old = "1", , after = "1"] = NUMBERED.exec(header) ?? [];
  const own = lines.filter((line) => !line.startsWith("\\"));
  return (
    NUMBERED.test(header) &&
    own.filter((line) => !line.startsWith("+")).length === Number(old) &&
    own.filter((line) => !line.startsWith("-")).length === Number(after)
  );
}

function readSections(text: string): readonly Section[] {
  const sections: { head: string[]; hunks: { header: string; lines: string[] }[] }[] = [];
  let isHead = false;
  for (const line of text.trimEnd().split("\n")) {
    const startsHead: boolean = HEAD.test(line) && (isHead || !/^(?:\+\+\+ )/.test(line));
    let section = sections.at(-1);
    if (section === undefined || (startsHead && !isHead)) {
      section = { head: [], hunks: [] };
      sections.push(section);
    }
    isHead = startsHead;
    if (startsHead) section.head.push(line);
    else if (HUNK.test(line)) section.hunks.push({ header: line, lines: [] });
    else {
      if (section.hunks.length === 0) section.hunks.push({ header: "@@", lines: [] });
      section.hunks.at(-1)?.lines.push(line === "" ? " " : line);
    }
  }
  return sections;
}

interface Names {
  /** Absent: the file is new. */
  readonly from: string | undefined;
  readonly head: readonly string[];
}

function toNames(head: readonly string[], file: string | undefined): Names | undefined {
  const named = (sign: string) =>
    head
      .find((line) => line.startsWith(`${sign} `))
      ?.slice(4)
      .replace(/\t.*$/, "")
      .trim()
      .replace(/^[ab]\//, "");
  const [old, after] = [named("---") ?? named("+++") ?? file, named("+++") ?? named("---") ?? file];
  if (old === undefined || after === undefined) return undefined;
  const others = head.filter((line) => !/^(?:---|\+\+\+) /.test(line));
  const name = (sign: string, side: string, path: string) =>
    `${sign} ${path === "/dev/null" ? path : `${side}/${path}`}`;
  return {
    from: old === "/dev/null" ? undefined : old,
    head: [...others, name("---", "a", old), name("+++", "b", after)],
  };
}

function placeHunks(old: string, hunks: readonly Loose[], path: string): readonly string[] {
  const lines = old.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let grown = 0;
  return hunks
    .map((hunk) => placeHunk(lines, hunk, path))
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ start, signed }) => {
      const before = signed.filter((line) => !line.startsWith("+")).length;
      const after = signed.filter((line) => !line.startsWith("-")).length;
      const header = `@@ -${start + 1},${before} +${start + 1 + grown},${after} @@`;
      grown += after - before;
      return [header, ...signed];
    });
}

interface Placed {
  /** The first line of the file that the hunk shows, from 0. */
  readonly start: number;
  readonly signed: readonly string[];
}

/** Finds the only place where the old lines of a hunk follow each other most closely, and writes the hunk as it is there. */
function placeHunk(lines: readonly string[], hunk: Loose, path: string): Placed {
  const signed = hunk.lines.filter((line) => !line.startsWith("\\") && line.trim() !== "").map(toSigned);
  const before = signed.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  if (before.length === 0)
    throw refuse(`The diff does not show where in \`${path}\` its lines belong.`, "Show the lines above and below.");
  const found = findPlaces(lines, before);
  const [first, second] = found;
  if (first === undefined)
    throw refuse(
      `The diff does not fit \`${path}\`: it expects \`${before[0]?.trim().slice(0, 100) ?? ""}\`.`,
      ACCEPTED,
    );
  if (second !== undefined && spanOf(first) === spanOf(second))
    throw refuse(`The lines that the diff changes in \`${path}\` stand in several places.`, ACCEPTED);
  return write(lines, signed, first);
}

interface Signed {
  readonly sign: string;
  readonly text: string;
}

/** A line without a sign is one of context whose blank was lost. */
function toSigned(line: string): Signed {
  return /^[ +-]/.test(line) ? { sign: line[0] ?? " ", text: line.slice(1) } : { sign: " ", text: line };
}

/** Places of wanted lines in their order, the closest first. */
function findPlaces(lines: readonly string[], wanted: readonly string[]): readonly (readonly number[])[] {
  const places: number[][] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const place: number[] = [];
    let at = start;
    for (const text of wanted) {
      const limit = place.length === 0 ? start + 1 : Math.min(lines.length, at + GAP);
      while (at < limit && lines[at]?.trim() !== text.trim()) at += 1;
      if (at >= limit) break;
      place.push(at);
      at += 1;
    }
    if (place.length === wanted.length) places.push(place);
  }
  return places.toSorted((one, other) => spanOf(one) - spanOf(other));
}

function spanOf(place: readonly number[]): number {
  return (place.at(-1) ?? 0) - (place[0] ?? 0);
}

/** The hunk with all lines of the file between those that it shows, and new lines indented as their neighbours are. */
function write(lines: readonly string[], signed: readonly Signed[], place: readonly number[]): Placed {
  const start = place[0] ?? 0;
  const written: string[] = [];
  let taken = 0;
  let next = start;
  let shift = shiftOf(signed.find(({ sign }) => sign !== "+")?.text ?? "", lines[start] ?? "");
  for (const { sign, text } of signed) {
    if (sign === "+") {
      written.push(`+${indent(text, shift)}`);
      continue;
    }
    const at = place[taken] ?? next;
    for (; next < at; next += 1) written.push(` ${lines[next] ?? ""}`);
    written.push(`${sign}${lines[at] ?? ""}`);
    shift = shiftOf(text, lines[at] ?? "");
    taken += 1;
    next = at + 1;
  }
  return { start, signed: written };
}

function shiftOf(shown: string, real: string): number {
  return widthOf(real) - widthOf(shown);
}

function indent(text: string, shift: number): string {
  return " ".repeat(Math.max(0, widthOf(text) + shift)) + text.trimStart();
}

function widthOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
