/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Pairs of lines that are compared; more are shown as replaced as a whole. */
const PAIR_LIMIT = 4_000_000;

type Line = readonly [mark: " " | "-" | "+", text: string];

/** Shows what a text loses and gains, line by line, with some of the lines around it. */
export function showChanges(before: string, after: string): readonly string[] {
  const lines = compare(split(before), split(after));
  const isShown = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([mark]) => mark !== " ");
  const shown: string[] = [];
  let isGap = false;
  for (const [at, [mark, text]] of lines.entries()) {
    if (isShown(at)) {
      if (isGap && shown.length > 0) shown.push("  ...");
      shown.push(`${mark} ${text}`);
    }
    isGap = !isShown(at);
  }
  return shown;
}

function split(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): Line => [" ", text];
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** Compares by the longest common subsequence (Wagner and Fischer 1974). */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  const isLong = before.length * after.length > PAIR_LIMIT;
  const common = new Uint32Array(isLong ? 0 : (before.length + 1) * width);
  if (!isLong) {
    for (let i = before.length - 1; i >= 0; i -= 1) {
      for (let j = after.length - 1; j >= 0; j -= 1) {
        const below = common[(i + 1) * width + j] ?? 0;
        const right = common[i * width + j + 1] ?? 0;
        const both = (common[(i + 1) * width + j + 1] ?? 0) + 1;
        common[i * width + j] = before[i] === after[j] ? both : Math.max(below, right);
      }
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (!isLong && old !== undefined && old === now) {
      lines.push([" ", old]);
      [i, j] = [i + 1, j + 1];
    } else if (old !== undefined && (now === undefined || isLong || isBelow(common, width, i, j))) {
      lines.push(["-", old]);
      i += 1;
    } else {
      lines.push(["+", now ?? ""]);
      j += 1;
    }
  }
  return lines;
}

function isBelow(common: Uint32Array, width: number, i: number, j: number): boolean {
  return (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0);
}
