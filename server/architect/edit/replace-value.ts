import { isScalar, type Scalar } from "yaml";
import type { Json } from "../../store/store.ts";
import { foldText, isPlain, writeInline, writeLines } from "./write-value.ts";
import {
  columnOf,
  endOf,
  eolOf,
  isCollection,
  isFlow,
  lineEnd,
  lineStart,
  startOf,
  type TextEdit,
} from "./yaml-places.ts";

/** Puts a value in the place of another; `head` is where what stands before the value ends: its colon or dash. */
export function replaceValue(text: string, node: unknown, value: Json, head: number): TextEdit {
  if (isScalar(node) && node.type === "BLOCK_FOLDED" && typeof value === "string") {
    const edit = replaceProse(text, node, value);
    if (edit !== undefined) return edit;
  }
  if (isCollection(node) && !isFlow(node)) {
    const lines = writeLines(value, columnOf(text, startOf(node)));
    const to = endOf(text, node);
    const isInline = typeof value !== "object" || value === null || Object.keys(value).length === 0;
    if (isInline) return { from: head, to, text: ` ${lines[0] ?? ""}` };
    return { from: startOf(node), to, text: lines.join(eolOf(text)) };
  }
  const place = /[[{,]/.test(text.slice(lineStart(text, head), head)) ? "flow" : "block";
  const inline = isScalar(node) && typeof node.value === "string" ? quoted(node, value) : undefined;
  return { from: head, to: endOf(text, node), text: gap(text, node, head) + (inline ?? writeInline(value, place)) };
}

/** Quotes that nobody would have had to write stay where they can. */
function quoted(node: Scalar, value: Json): string | undefined {
  if (typeof value !== "string" || !isPlain(String(node.value), "flow")) return undefined;
  const mark = node.type === "QUOTE_DOUBLE" ? '"' : node.type === "QUOTE_SINGLE" ? "'" : undefined;
  if (mark === undefined || !/^[\w .,;:()/+-]*$/.test(value)) return undefined;
  return mark + value + mark;
}

/** Returns the text between the colon or the dash and the value. */
function gap(text: string, node: unknown, head: number): string {
  const between = text.slice(head, startOf(node));
  if (/^[ \t]+$/.test(between)) return between;
  return head === startOf(node) && !/[:-]/.test(text[head - 1] ?? "") ? "" : " ";
}

/** A folded text: a sentence before it is a line of its own, so that all others stay; otherwise it is folded anew. */
function replaceProse(text: string, node: Scalar, value: string): TextEdit | undefined {
  const old = String(node.value);
  const first = lineEnd(text, startOf(node)) + eolOf(text).length;
  const column = text.slice(first).search(/\S/);
  const line = text.slice(first, lineEnd(text, first)).trim();
  if (old !== "" && value.endsWith(` ${old}`)) {
    const added = " ".repeat(column) + value.slice(0, -old.length - 1) + eolOf(text);
    return { from: first, to: first, text: added };
  }
  if (old === `${line} ${value}`) return { from: first, to: lineEnd(text, first) + eolOf(text).length, text: "" };
  const folded = foldText(value, column);
  return folded === undefined ? undefined : { from: first, to: endOf(text, node), text: folded.join(eolOf(text)) };
}
