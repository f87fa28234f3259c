import { isDeepStrictEqual } from "node:util";
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { EditProblem } from "./edit-problem.ts";
import {
  applyToValue,
  type Entry,
  type EntryEdit,
  isTable,
  listMissing,
  listObsolete,
  withKeptHeaders,
} from "./entry-edit.ts";

/** A text after a change, with the entry that was there before; or why it cannot be changed. */
export type Edited = { readonly text: string; readonly earlier: Entry | undefined } | { readonly problem: EditProblem };

const COMMA = 5;
const END = 17;
const DEFAULT_INDENT = "  ";

/**
 * Changes one entry of JSON with comments and trailing commas. Every character outside of it stays, and comments stay beside what they
 * stood beside, which jsonc-parser's own changes do not promise.
 */
export function editJson(text: string, given: EntryEdit): Edited {
  if (Number(createScanner(text, true).scan()) === END) return fill(text, given);
  const before = readJson(text);
  if ("problem" in before) return before;
  const { value } = before;
  const section = value[given.section];
  if (section !== undefined && !isTable(section)) return notAnObject(before.root, [given.section]);
  const earlier = section?.[given.name];
  if (earlier !== undefined && !isTable(earlier)) return notAnObject(before.root, [given.section, given.name]);
  const edit = withKeptHeaders(given, earlier);
  const inputs = value["inputs"] ?? [];
  if (edit.inputs.length > 0 && !Array.isArray(inputs)) return notAnObject(before.root, ["inputs"], "a list");

  const edited = listMissing(inputs as readonly unknown[], edit).reduce(
    (changed, input) => putInput(changed, input),
    putEntry(text, earlier, edit),
  );
  const after = readJson(edited);
  if ("problem" in after || !isDeepStrictEqual(after.value, applyToValue(value, edit, true))) {
    return { problem: { offset: 0, message: "it cannot be changed without changing other parts of it" } };
  }
  return { text: edited, earlier };
}

function putEntry(text: string, earlier: Entry | undefined, edit: EntryEdit): string {
  const path = [edit.section, edit.name];
  if (isDeepStrictEqual(earlier, edit.entry)) return text;
  if (earlier === undefined || !edit.isOwn(earlier)) return put(text, path, edit.entry);
  let edited = text;
  for (const [key, member] of Object.entries(edit.entry)) {
    if (!isDeepStrictEqual(earlier[key], member)) edited = put(edited, [...path, key], member);
  }
  for (const key of listObsolete(earlier, edit)) edited = remove(edited, path, key);
  return edited;
}

function putInput(text: string, input: Entry): string {
  const list = findIn(text, ["inputs"]);
  return list === undefined ? put(text, ["inputs"], [input]) : insert(text, list, undefined, input);
}

/** Writes the first value into a text that has none, beneath its comments. */
function fill(text: string, { section, name, entry, inputs }: EntryEdit): Edited {
  const value = { ...(inputs.length > 0 ? { inputs } : {}), [section]: { [name]: entry } };
  const eol = eolOf(text);
  const comments = text.trim() === "" ? "" : text.replace(/(?:\r?\n)?$/, eol);
  const filled = `${comments}${JSON.stringify(value, undefined, DEFAULT_INDENT).replaceAll("\n", eol)}${eol}`;
  const after = readJson(filled);
  return "problem" in after ? after : { text: filled, earlier: undefined };
}

type Read = { readonly root: Node; readonly value: Entry } | { readonly problem: EditProblem };

function readJson(text: string): Read {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const reason = error === undefined ? "empty" : printParseErrorCode(error.error);
    return { problem: { offset: error?.offset ?? 0, message: `it is no JSON (${reason})` } };
  }
  const twice = findTwice(root);
  if (twice !== undefined) return { problem: { offset: twice.offset, message: "this member stands there twice" } };
  const value = toValue(root);
  if (!isTable(value)) return { problem: { offset: root.offset, message: "it must be an object" } };
  return { root, value };
}

/** Finds a name that an object has twice: clients differ in which of the two they read. */
function findTwice(node: Node): Node | undefined {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key] = child.type === "property" ? (child.children ?? []) : [];
    if (key !== undefined && names.has(key.value)) return key;
    if (key !== undefined) names.add(key.value);
    const twice = findTwice(child);
    if (twice !== undefined) return twice;
  }
  return undefined;
}

function toValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(toValue);
  if (node.type !== "object") return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).map(({ children: [key, value] = [] }) => [key?.value as string, value && toValue(value)]),
  );
}

function notAnObject(root: Node, path: readonly string[], what = "an object"): { readonly problem: EditProblem } {
  const offset = find(root, path)?.offset ?? 0;
  return { problem: { offset, message: `\`${path.join(".")}\` must be ${what}` } };
}

/** Finds the value at a path. */
function find(root: Node, [key, ...rest]: readonly string[]): Node | undefined {
  if (key === undefined) return root;
  const property = root.children?.find(({ children }) => children?.[0]?.value === key);
  const value = property?.children?.[1];
  return value && find(value, rest);
}

function findIn(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && find(root, path);
}

/** Sets a member, which is replaced where it stands, or else comes last. */
function put(text: string, path: readonly string[], value: unknown): string {
  const existing = findIn(text, path);
  if (existing !== undefined) {
    const { offset, length } = existing;
    return text.slice(0, offset) + toText(text, value, indentOf(text, offset)) + text.slice(offset + length);
  }
  const key = path.at(-1) ?? "";
  const parent = findIn(text, path.slice(0, -1));
  return parent === undefined ? put(text, path.slice(0, -1), { [key]: value }) : insert(text, parent, key, value);
}

/** Adds a member of an object, or without a key an item of a list, behind all others and their comments. */
function insert(
  text: string,
  { offset, length, children = [] }: Node,
  key: string | undefined,
  value: unknown,
): string {
  const close = offset + length - 1;
  const eol = eolOf(text);
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const member = (indent: string) => indent + name + toText(text, value, indent);
  const last = children.at(-1);
  if (last === undefined) {
    const outer = indentOf(text, offset);
    const inner = withoutEnd(text.slice(offset + 1, close));
    return `${text.slice(0, offset + 1)}${inner}${eol}${member(outer + unitOf(text))}${eol}${outer}${text.slice(close)}`;
  }
  const end = endOf(last);
  const before = text.slice(0, end);
  const indent = indentOf(text, last.offset);
  const lineStart = text.lastIndexOf("\n", last.offset - 1) + 1;
  if (lineStart + indent.length !== last.offset) return `${before}, ${name}${JSON.stringify(value)}${text.slice(end)}`;
  const hasComma = findComma(text, end) !== undefined;
  const comments = withoutEnd(text.slice(end, close));
  const tail = text.slice(end + comments.length);
  return `${before}${hasComma ? "" : ","}${comments}${eol}${member(indent)}${hasComma ? "," : ""}${tail}`;
}

/** Removes a member with its comma, and its line if nothing else stands there. */
function remove(text: string, path: readonly string[], key: string): string {
  const members = findIn(text, path)?.children ?? [];
  const at = members.findIndex(({ children }) => children?.[0]?.value === key);
  const member = members[at];
  if (member === undefined) return text;
  const comma = findComma(text, endOf(member));
  const earlier = members[at - 1];
  const before = comma === undefined && earlier !== undefined ? findComma(text, endOf(earlier)) : undefined;
  const kept = comma === undefined ? "" : text.slice(endOf(member), comma);
  const rest = kept + text.slice(comma === undefined ? endOf(member) : comma + 1);
  const start =
    before === undefined ? text.slice(0, member.offset) : text.slice(0, before) + text.slice(before + 1, member.offset);
  const lineStart = start.lastIndexOf("\n") + 1;
  const blank = /^[ \t]*\r?\n/.exec(rest)?.[0];
  if (blank === undefined || start.slice(lineStart).trim() !== "") return start + rest;
  return start.slice(0, lineStart) + rest.slice(blank.length);
}

/** Finds the comma that follows a member; one in a comment is none. */
function findComma(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  return Number(scanner.scan()) === COMMA ? scanner.getTokenOffset() : undefined;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function withoutEnd(text: string): string {
  return text.replace(/[ \t\r\n]+$/, "");
}

function toText(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll("\n", eolOf(text) + indent);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Indentation of the line that `offset` stands in. */
function indentOf(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** One step of indentation, as the first indented line has it. */
function unitOf(text: string): string {
  return /^(\t| +)(?=["}])/m.exec(text)?.[1] ?? DEFAULT_INDENT;
}
