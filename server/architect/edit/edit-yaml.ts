import { type Document, isMap, isPair, isSeq, parseDocument } from "yaml";
import { canonicalJson } from "../../json/canonical-json.ts";
import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import { type Edit, editJson } from "./edit-json.ts";
import { dashOf, removeItem, withComments } from "./remove-item.ts";
import { replaceValue } from "./replace-value.ts";
import { writeInline, writeLines, writeMember } from "./write-value.ts";
import {
  apply,
  type Collection,
  colonOf,
  columnOf,
  endOf,
  eolOf,
  isCollection,
  isFlow,
  itemsOf,
  lineEnd,
  lineStart,
  startOf,
  type TextEdit,
  unreadable,
} from "./yaml-places.ts";
import { toPointer } from "../../json/pointer.ts";

/**
 * A YAML file with one value changed, added or taken away: comments, order and form of everything else stay byte for byte.
 * Rejects with BAD_REQUEST where there is no such place, or where the file is written in a way that cannot be changed so.
 */
export function editYaml(text: string, edit: Edit): string {
  const document = readDocument(text);
  const wanted = editJson(document.toJS() as Json, edit);
  if (wanted === undefined) {
    throw new CairnError("BAD_REQUEST", `The file has no place \`${toPointer(edit.path)}\` for this.`);
  }
  const edited = apply(text, toTextEdit(text, document, edit));
  // What was not understood of the file's form shows here, and nowhere later.
  if (canonicalJson(readDocument(edited).toJS()) !== canonicalJson(wanted)) throw unreadable();
  return edited;
}

function readDocument(text: string): Document {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new CairnError("BAD_REQUEST", "The file is no YAML that can be read.");
  return document;
}

function toTextEdit(text: string, document: Document, edit: Edit): TextEdit {
  const { path } = edit;
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isCollection(parent)) {
    if (edit.kind === "remove" || path.length === 1) throw unreadable();
    const value = edit.kind === "insert" ? [edit.value] : { [String(path.at(-1))]: edit.value };
    return toTextEdit(text, document, { kind: "set", path: path.slice(0, -1), value });
  }
  const place = placeOf(parent, path.at(-1));
  if (edit.kind === "insert") return insertItem(text, parent, place, edit.value);
  if (edit.kind === "remove" && itemsOf(parent).length > 1) return removeItem(text, parent, place);
  if (edit.kind === "remove") {
    const rest = isMap(parent) ? {} : [];
    if (isFlow(parent)) return { from: startOf(parent), to: endOf(text, parent), text: writeInline(rest) };
    if (path.length === 1) throw unreadable();
    return toTextEdit(text, document, { kind: "set", path: path.slice(0, -1), value: rest });
  }
  const item = itemsOf(parent)[place];
  if (item === undefined) return addMember(text, parent, String(path.at(-1)), edit.value);
  if (isPair(item)) return replaceValue(text, item.value, edit.value, colonOf(text, item.key));
  const head = isFlow(parent) ? startOf(item) : dashOf(text, parent, item) + 1;
  return replaceValue(text, item, edit.value, head);
}

/** The position of an item; behind the last where there is none. */
function placeOf(parent: Collection, step: string | number | undefined): number {
  if (isSeq(parent)) return Number(step);
  const place = parent.items.findIndex(({ key }) => String(isScalarLike(key) ? key.value : key) === step);
  return place < 0 ? parent.items.length : place;
}

function isScalarLike(key: unknown): key is { readonly value: unknown } {
  return typeof key === "object" && key !== null && "value" in key;
}

function addMember(text: string, parent: Collection, key: string, value: Json): TextEdit {
  const last = itemsOf(parent).at(-1);
  if (isFlow(parent)) return addToFlow(text, parent, `${writeInline(key)}: ${writeInline(value)}`);
  const column = columnOf(text, startOf(parent));
  const lines = writeMember(key, value, column, " ".repeat(column));
  return below(text, endOf(text, last), lines);
}

function insertItem(text: string, parent: Collection, place: number, value: Json): TextEdit {
  const items = itemsOf(parent);
  const item = items[place];
  if (isFlow(parent)) {
    if (item === undefined) return addToFlow(text, parent, writeInline(value));
    return { from: startOf(item), to: startOf(item), text: `${writeInline(value)}, ` };
  }
  const column = columnOf(text, startOf(parent));
  const lines = writeLines([value], column);
  if (item === undefined)
    return below(text, endOf(text, items.at(-1)), [" ".repeat(column) + lines[0], ...lines.slice(1)]);
  const at = dashOf(text, parent, item);
  const above = withComments(text, at, place > 0 || column > 0);
  if (text.slice(lineStart(text, at), at).trim() === "") {
    return { from: above, to: above, text: `${" ".repeat(column)}${lines.join(eolOf(text))}${eolOf(text)}` };
  }
  return { from: at, to: at, text: `${lines.join(eolOf(text))}${eolOf(text)}${" ".repeat(column)}` };
}

function addToFlow(text: string, parent: Collection, added: string): TextEdit {
  const last = itemsOf(parent).at(-1);
  if (last !== undefined) return { from: endOf(text, last), to: endOf(text, last), text: `, ${added}` };
  const whole = isMap(parent) ? `{ ${added} }` : `[${added}]`;
  return { from: startOf(parent), to: endOf(text, parent), text: whole };
}

/** Lines below the one on which something ends, and the comment behind it. */
function below(text: string, at: number, lines: readonly string[]): TextEdit {
  const end = lineEnd(text, at);
  return { from: end, to: end, text: ["", ...lines].join(eolOf(text)) };
}
