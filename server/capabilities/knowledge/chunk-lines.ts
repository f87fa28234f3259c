/** A piece of a file: lines, 1-based, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Sections are put together up to so many lines. */
const SMALL = 25;
/** Sections are cut into pieces of at most so many lines. */
const LARGE = 60;
/** Of a chunk; a single line may have half of it. */
const MAX_CHARACTERS = 4000;
export const MAX_LINE_CHARACTERS = MAX_CHARACTERS / 2;

/**
 * Cuts a file where its parts begin: YAML at top-level keys, Markdown at headings, code at top-level declarations with
 * the comments above them, anything else at blank lines. The chunks follow each other and have all lines. No line may
 * have more than `MAX_LINE_CHARACTERS`.
 */
export function chunkLines(path: string, lines: readonly string[]): readonly LineRange[] {
  const chunks: LineRange[] = [];
  let open: LineRange | undefined;
  for (const section of toSections(path, lines)) {
    for (const piece of cut(section, lines)) {
      const joined: LineRange = { from: open?.from ?? piece.from, to: piece.to };
      if (open !== undefined && (lengthOf(joined) > SMALL || countCharacters(joined, lines) > MAX_CHARACTERS)) {
        chunks.push(open);
        open = piece;
      } else open = joined;
    }
  }
  return open === undefined ? chunks : [...chunks, open];
}

function toSections(path: string, lines: readonly string[]): readonly LineRange[] {
  const { isStart, isLead } = toForm(path);
  const starts = [0];
  for (const [index, line] of lines.entries()) {
    if (!isStart(line, lines[index - 1] ?? "") || index === 0) continue;
    let first = index;
    while (first - 1 > (starts.at(-1) ?? 0) && isLead(lines[first - 1] ?? "")) first--;
    starts.push(first);
  }
  return starts.map((start, index) => ({ from: start + 1, to: starts[index + 1] ?? lines.length }));
}

/** Rules for finding the parts in a kind of file. */
interface Form {
  readonly isStart: (line: string, before: string) => boolean;
  /** Checks that a line directly above a start belongs to it. */
  readonly isLead: (line: string) => boolean;
}

function toForm(path: string): Form {
  if (/\.ya?ml$/.test(path)) return YAML;
  if (/\.(?:md|markdown)$/.test(path)) return { isStart: createHeadingTest(), isLead: () => false };
  return CODE_FILE.test(path) ? CODE : PLAIN;
}

const YAML: Form = {
  isStart: (line) => /^(?:[\w$.-]+|"[^"]*"|'[^']*'):(?:\s|$)/.test(line),
  isLead: (line) => line.startsWith("#"),
};
const CODE_FILE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|c|h|cc|cpp|cs|php|swift|sh|sql)$/;
const CODE: Form = {
  isStart: (line) => /^[\p{L}_$]/u.test(line) && !/^(?:import|else|catch|finally|elif|except)\b/.test(line),
  isLead: (line) => /^(?:\/\/|\/\*| \*|\*\/|#|@)/.test(line),
};
const PLAIN: Form = { isStart: (line, before) => line.trim() !== "" && before.trim() === "", isLead: () => false };

/** A `#` in a block of code is no heading. */
function createHeadingTest(): (line: string) => boolean {
  let fence = "";
  return (line) => {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    return fence === "" && /^#{1,6}\s/.test(line);
  };
}

/** Pieces of at most the largest size, cut at blank lines where there is one in the second half. */
function cut(section: LineRange, lines: readonly string[]): readonly LineRange[] {
  const pieces: LineRange[] = [];
  let { from } = section;
  while (from <= section.to) {
    let to = from;
    let characters = sizeOf(lines[from - 1]);
    while (to < section.to && to - from + 1 < LARGE && characters + sizeOf(lines[to]) <= MAX_CHARACTERS) {
      characters += sizeOf(lines[to]);
      to++;
    }
    if (to < section.to) to = findBlank(lines, from, to) ?? to;
    pieces.push({ from, to });
    from = to + 1;
  }
  return pieces;
}

function findBlank(lines: readonly string[], from: number, to: number): number | undefined {
  for (let line = to; line > (from + to) / 2; line--) if (lines[line - 1]?.trim() === "") return line;
  return undefined;
}

function countCharacters({ from, to }: LineRange, lines: readonly string[]): number {
  let characters = 0;
  for (let line = from; line <= to; line++) characters += sizeOf(lines[line - 1]);
  return characters;
}

function lengthOf({ from, to }: LineRange): number {
  return to - from + 1;
}

/** With its line break. */
function sizeOf(line: string | undefined): number {
  return (line ?? "").length + 1;
}
