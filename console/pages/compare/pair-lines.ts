import { diffArrays } from "diff";

/** A row of two texts side by side: lines that pair up, or the number of equal lines that are left out. */
export type Row =
  | { readonly kind: "same" | "changed"; readonly at: number; readonly left?: string; readonly right?: string }
  | { readonly kind: "equal"; readonly at: number; readonly count: number };

/** Equal lines that are shown on each side of a difference. */
const CONTEXT = 3;
/** Lines that may differ before two texts count as different throughout: the search grows with their square. */
const MAX_EDITS = 4_000;

/** Pairs the lines of two texts, with equal lines only around what differs. */
export function pairLines(before: string, after: string): readonly Row[] {
  const [left, right] = [toLines(before), toLines(after)];
  const parts = diffArrays([...left], [...right], { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: [...left] },
    { removed: false, added: true, value: [...right] },
  ];
  const rows: Row[] = [];
  for (const [place, part] of parts.entries()) {
    if (part.added && parts[place - 1]?.removed === true) continue;
    if (!part.added && !part.removed) {
      rows.push(...toEqual(part.value, rows.length, place === 0, place === parts.length - 1));
      continue;
    }
    const next = parts[place + 1];
    const olds = part.removed ? part.value : [];
    const news = part.added ? part.value : next?.added === true ? next.value : [];
    for (let line = 0; line < Math.max(olds.length, news.length); line += 1) {
      rows.push({ kind: "changed", at: rows.length, ...toSides(olds[line], news[line]) });
    }
  }
  return rows;
}

function toEqual(lines: readonly string[], from: number, isFirst: boolean, isLast: boolean): readonly Row[] {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const count = lines.length - head - tail;
  const show = (some: readonly string[], at: number): readonly Row[] =>
    some.map((line, place) => ({ kind: "same", at: at + place, left: line, right: line }));
  if (count <= 1) return show(lines, from);
  const gap: Row = { kind: "equal", at: from + head, count };
  return [...show(lines.slice(0, head), from), gap, ...show(lines.slice(lines.length - tail), from + head + 1)];
}

function toSides(left: string | undefined, right: string | undefined) {
  return { ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) };
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}
