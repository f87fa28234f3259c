import { isMap, isPair, isScalar, isSeq, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { CairnError } from "../../errors.ts";

/** Replacement of the text between two offsets. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A list or a mapping. */
export type Collection = YAMLMap | YAMLSeq;
/** One item of a list, or one key of a mapping with its value. */
export type Item = Pair | Scalar | YAMLMap | YAMLSeq;

export function isCollection(node: unknown): node is Collection {
  return isMap(node) || isSeq(node);
}

export function isFlow(node: Collection): boolean {
  return node.flow === true;
}

export function itemsOf(node: Collection): readonly Item[] {
  const items: readonly unknown[] = node.items;
  return items.filter((item): item is Item => isPair(item) || isScalar(item) || isCollection(item));
}

/** Finds the offset where a value or an item begins: for an item of a block list, behind its dash. */
export function startOf(item: unknown): number {
  const node = isPair(item) ? item.key : item;
  if ((isScalar(node) || isCollection(node)) && node.range) return node.range[0];
  throw unreadable();
}

/** Finds the offset where a value or an item ends, without the comments and line breaks behind it. */
export function endOf(text: string, item: unknown): number {
  if (isPair(item)) {
    const { key, value } = item;
    const hasValue = (isScalar(value) || isCollection(value)) && value.range;
    return hasValue ? Math.max(colonOf(text, key), endOf(text, value)) : colonOf(text, key);
  }
  if (isCollection(item) && !isFlow(item)) return endOf(text, itemsOf(item).at(-1));
  if (!(isScalar(item) || isCollection(item)) || !item.range) throw unreadable();
  const [from, to] = item.range;
  // A block of text ends behind its last line break.
  const isBlock = isScalar(item) && (item.type === "BLOCK_FOLDED" || item.type === "BLOCK_LITERAL");
  return isBlock ? from + text.slice(from, to).trimEnd().length : to;
}

/** Behind the colon of a key. */
export function colonOf(text: string, key: unknown): number {
  if (!isScalar(key) || !key.range) throw unreadable();
  const at = text.indexOf(":", key.range[1]);
  if (at < 0) throw unreadable();
  return at + 1;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  if (feed === -1) return text.length;
  return text[feed - 1] === "\r" ? feed - 1 : feed;
}

export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

export function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

export function apply(text: string, { from, to, text: put }: TextEdit): string {
  return text.slice(0, from) + put + text.slice(to);
}

export function unreadable(): CairnError {
  return new CairnError("BAD_REQUEST", "The file is written in a way that cannot be changed in place.");
}
