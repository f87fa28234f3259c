import { isSeq } from "yaml";
import {
  type Collection,
  columnOf,
  endOf,
  eolOf,
  isFlow,
  type Item,
  itemsOf,
  lineEnd,
  lineStart,
  startOf,
  type TextEdit,
} from "./yaml-places.ts";

/** Takes the item at `place` out of a collection that has others, with the comments right above it. */
export function removeItem(text: string, collection: Collection, place: number): TextEdit {
  const items = itemsOf(collection);
  const [before, item, after] = [items[place - 1], items[place], items[place + 1]];
  if (isFlow(collection)) {
    if (before !== undefined) return { from: endOf(text, before), to: endOf(text, item), text: "" };
    return { from: startOf(item), to: after === undefined ? endOf(text, item) : startOf(after), text: "" };
  }
  const begin = isSeq(collection) ? dashOf(text, collection, item) : startOf(item);
  const isWholeLine = text.slice(lineStart(text, begin), begin).trim() === "";
  if (!isWholeLine && after !== undefined) {
    // The first of a mapping that stands behind a dash: what follows moves up to the dash.
    return { from: begin, to: isSeq(collection) ? dashOf(text, collection, after) : startOf(after), text: "" };
  }
  const end = lineEnd(text, endOf(text, item));
  const from = withComments(text, begin, place > 0 || columnOf(text, begin) > 0);
  const next = end + (text.startsWith("\r\n", end) ? 2 : text[end] === "\n" ? 1 : 0);
  if (next > end || from === 0) return { from, to: next, text: "" };
  // The last line of a file without a line break at its end.
  return { from: from - eolOf(text).length, to: end, text: "" };
}

/** Finds the offset of an item's dash. */
export function dashOf(text: string, list: Collection, item: Item | undefined): number {
  const column = columnOf(text, startOf(list));
  const at = startOf(item);
  const onLine = lineStart(text, at) + column;
  return text[onLine] === "-" && onLine < at ? onLine : text.lastIndexOf("-", at - 1);
}

/** Finds the start of an item's lines, with the comments of its indentation above it. */
export function withComments(text: string, at: number, mayHave: boolean): number {
  let from = lineStart(text, at);
  const column = at - from;
  if (!mayHave) return from;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    const line = text.slice(above, from);
    if (line.search(/\S/) !== column || line[column] !== "#") break;
    from = above;
  }
  return from;
}
