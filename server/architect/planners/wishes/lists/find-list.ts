import { splitAt } from "../parts/split-at.ts";

/** Items below a line that says what they are about, or below none. */
export interface Group {
  readonly heading: string;
  readonly items: readonly string[];
}

/** A message that is a list. */
export interface List {
  /** What stands above the first heading. */
  readonly before: string;
  readonly groups: readonly Group[];
  /** What stands below the last item. */
  readonly behind: string;
  /** True: each item has a line and a mark of its own. */
  readonly isMarked: boolean;
}

const BULLET = /^[ \t]*(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-h]\))[ \t]+(\S.*)$/u;
/** A sign before an item that may be minus: "- 5" takes nothing away. */
const SIGNED = /^[ \t]*[-+][ \t]*[\d.]+[ \t]*$/;
const DATA = /^[ \t]*(?:>|```|~~~|\|)/m;
/** Marks of items in a line: "1) ... 2) ...", "(a) ... (b) ...". */
const INLINE = /(?<=^|[\s,;:])\(?(\d|[a-h])\)\s+/gu;
/** A line that says what stands behind it: "house rules: graceDays 3; rounding none". */
const LINE = /^([^:：;\n]{2,80}[:：])\s+(\S.*)$/su;
const MOST = 10;

/** Finds the list that a text is: lines with marks, marks in a line, or what semicolons separate behind a colon. */
export function findList(text: string): List | undefined {
  if (DATA.test(text)) return undefined;
  return [findLines, findInline, findSeparated]
    .map((find) => find(text))
    .find((found) => {
      const count = found?.groups.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
      return count >= 2 && count <= MOST;
    });
}

function findLines(text: string): List | undefined {
  const groups: { heading: string; items: string[] }[] = [];
  let plain: string[] = [];
  let before = "";
  for (const line of text.split("\n")) {
    const [, item] = BULLET.exec(line) ?? [];
    const last = groups.at(-1);
    if (item !== undefined && !SIGNED.test(line)) {
      if (last === undefined || plain.length > 0) {
        const heading = toHeading(plain);
        // What stands between two lists belongs to the second of them.
        if (last !== undefined && heading.before !== "") return undefined;
        if (last === undefined) before = heading.before;
        groups.push({ heading: heading.heading, items: [item] });
        plain = [];
      } else last.items.push(item);
    } else if (line.trim() !== "") {
      const open = plain.length === 0 && /^\s{2,}\S/.test(line) ? last?.items : undefined;
      if (open === undefined) plain.push(line.trim());
      else open[open.length - 1] = `${open.at(-1) ?? ""} ${line.trim()}`;
    }
  }
  return groups.length === 0 ? undefined : { before, groups, behind: plain.join("\n"), isMarked: true };
}

/** The last sentence above a list, and what is told before. */
function toHeading(lines: readonly string[]): { readonly before: string; readonly heading: string } {
  const all = lines.join("\n");
  const end = [...all.matchAll(/[.!?](?=\s)\s*|\n/gu)].findLast(
    ({ index, 0: { length } }) => index + length < all.length,
  );
  const at = end === undefined ? 0 : end.index + end[0].length;
  return { before: all.slice(0, at).trim(), heading: all.slice(at).trim() };
}

function findInline(text: string): List | undefined {
  const marks = [...text.matchAll(INLINE)];
  const [first] = marks;
  if (first === undefined || marks.length < 2) return undefined;
  const start = /\d/.test(first[1] ?? "") ? "1" : "a";
  const isCounted = marks.every(([, mark = ""], at) => mark.codePointAt(0) === (start.codePointAt(0) ?? 0) + at);
  if (!isCounted) return undefined;
  const items = marks.map(({ index, 0: { length } }, at) => toItem(text.slice(index + length, marks[at + 1]?.index)));
  const { before, heading } = toHeading([text.slice(0, first.index).trim()]);
  return { before, groups: [{ heading, items }], behind: "", isMarked: false };
}

function findSeparated(text: string): List | undefined {
  const [, heading, rest] = LINE.exec(text.trim()) ?? [];
  if (heading === undefined || rest === undefined || rest.includes("\n")) return undefined;
  const items = splitAt(rest, /[;；]\s*/u).map(toItem);
  // "Refills: 4 at most; invoices: 30 at most" has two keys, and no heading.
  const isKeyed = (item = "") => /^[^:：]{2,40}[:：]\s/u.test(item);
  if (!isKeyed(items[0]) && items.some(isKeyed)) return undefined;
  return items.length < 2 ? undefined : { before: "", groups: [{ heading, items }], behind: "", isMarked: false };
}

function toItem(text: string): string {
  return text.trim().replace(/[,;.]?\s*(?:\b(?:and|und|y|et))?\s*$/iu, "");
}
