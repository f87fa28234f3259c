import { Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, YAMLSeq } from "yaml";
import { CairnError } from "../errors.ts";
import { defined } from "../json/defined.ts";
import type { AcceptedBreak } from "./loaded-history.ts";
import type { DeprecationContent } from "./retirement/deprecation.ts";
import { readVersionName, compareNames } from "./version-name.ts";

export interface Release {
  readonly version: string;
  /** A version that was never released, whose entry becomes this one's. */
  readonly replaced: string | undefined;
  /** Absent: the first version. */
  readonly parent?: string | undefined;
  /** RFC 3339. */
  readonly date: string;
  readonly changes: readonly string[];
  /** Breaks that it accepts, in addition to those that its entry has; absent: none. */
  readonly accepts?: readonly AcceptedBreak[];
}

/** Replacement of the text between two offsets. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** versions.yaml with a new current version; not one other character of it changes but in that version's own entry. */
export function writeRelease(text: string, release: Release): string {
  const document = parseDocument(text);
  const versions = findVersions(document);
  const { version, replaced = version } = release;
  const own = versions.items.find((item) => keyOf(item) === replaced);
  const scalars = [document.get("current", true), ...findLabels(document, replaced).map(({ value }) => value)];
  return applyEdits(text, [
    ...scalars.map((node) => toScalarEdit(text, node, version)),
    own === undefined ? insertEntry(text, document, versions, release) : rewriteEntry(text, own, release),
  ]);
}

/**
 * versions.yaml with the entries of another one that it lacks, as they stand there, each in its place. CONFLICT where both have an
 * entry and say different things in it.
 */
export function addEntries(text: string, other: string): { readonly text: string; readonly added: readonly string[] } {
  const there = findVersions(parseDocument(other));
  const added: string[] = [];
  let merged = text;
  for (const pair of there.items) {
    const name = keyOf(pair);
    const document = parseDocument(merged);
    const versions = findVersions(document);
    const own = versions.items.find((item) => keyOf(item) === name);
    if (own === undefined) {
      merged = applyEdits(merged, [toCopy({ text: merged, document, versions }, other, pair)]);
      added.push(name);
    } else if (JSON.stringify(own.value) !== JSON.stringify(pair.value)) {
      const why = `Both sides have ${name} in versions.yaml, and say different things of it`;
      throw new CairnError("CONFLICT", `${why}: keep the entry that its tag has, and \`git add versions.yaml\`.`);
    }
  }
  return { text: merged, added };
}

/** Copies an entry of another file behind the last one that stands before it by number. */
function toCopy(
  { text, document, versions }: { readonly text: string; readonly document: Document; readonly versions: YAMLMap },
  other: string,
  pair: Pair,
): Edit {
  const sign = isNewestFirst(versions) ? -1 : 1;
  const name = readVersionName(keyOf(pair));
  const before = versions.items.findLast((item) => {
    const known = readVersionName(keyOf(item));
    return known !== undefined && name !== undefined && compareNames(known, name) * sign > 0;
  });
  const column = columnOf(other, pair);
  const shift = " ".repeat(columnOf(text, versions.items[0]));
  const block = other.slice(rangeOf(pair.key)[0] - column, endOf(other, pair)).split(/\r?\n/);
  const lines = block.map((line) => (line.trim() === "" ? "" : shift + line.slice(column)));
  const at = before === undefined ? lineEnd(text, rangeOf(findKey(document, "versions"))[1]) : endOf(text, before);
  return { from: at, to: at, text: ["", ...lines].join(eolOf(text)) };
}

/** A tool's manifest with another version; not one other character of it changes. */
export function writeToolVersion(text: string, version: string): string {
  return applyEdits(text, [toScalarEdit(text, parseDocument(text).get("version", true), version)]);
}

function findVersions(document: Document): YAMLMap {
  const versions = document.get("versions");
  if (isMap(versions) && versions.flow !== true && versions.items.length > 0) return versions;
  throw new CairnError("BAD_REQUEST", "`versions` in versions.yaml must list each version on lines of its own.");
}

/** versions.yaml with the end of a version, and its labels at the successor; not one other character of it changes. */
export function writeEnd(
  text: string,
  version: string,
  deprecated: DeprecationContent & { readonly successor: string },
): { readonly text: string; readonly moved: readonly string[] } {
  const document = parseDocument(text);
  const own = findVersions(document).items.find((item) => keyOf(item) === version);
  if (own === undefined) throw new CairnError("NOT_FOUND", `versions.yaml lists no version ${version}.`);
  const pointers = findLabels(document, version);
  const edits = pointers.map(({ value }) => toScalarEdit(text, value, deprecated.successor));
  const entry = editEntry(text, own, (part) => {
    if (part.getIn([version, "deprecated"]) !== undefined) part.deleteIn([version, "deprecated"]);
    part.setIn([version, "deprecated"], part.createNode(deprecated, { flow: true }));
  });
  return { text: applyEdits(text, [...edits, entry]), moved: pointers.map(keyOf) };
}

/** The labels that stand for a version. */
function findLabels(document: Document, version: string): readonly Pair[] {
  const labels = document.get("labels");
  return isMap(labels) ? labels.items.filter(({ value }) => isScalar(value) && value.value === version) : [];
}

/** The quotes around it stay, where there are some. */
function toScalarEdit(text: string, node: unknown, value: string): Edit {
  const [from, to] = rangeOf(node);
  const [quote = ""] = /^["']/.exec(text.slice(from)) ?? [];
  return { from, to, text: quote + value + quote };
}

/** Above all others where the newest is first, with what was said of the first staying there; below them otherwise. */
function insertEntry(
  text: string,
  document: Document,
  versions: YAMLMap,
  { version, parent, date, changes, accepts = [] }: Release,
) {
  const column = columnOf(text, versions.items[0]);
  const accepted = accepts.length === 0 ? {} : { accepts };
  const last = isNewestFirst(versions) ? undefined : versions.items.at(-1);
  const at = last === undefined ? lineEnd(text, rangeOf(findKey(document, "versions"))[1]) : endOf(text, last);
  const lines = toLines(new Document({ [version]: { ...defined({ parent }), date, changes, ...accepted } }), column);
  return { from: at, to: at, text: ["", ...lines].join(eolOf(text)) };
}

/** Rewrites an entry; its other members and its changes stay. */
function rewriteEntry(text: string, own: Pair, { version, parent, date, changes, accepts = [] }: Release): Edit {
  return editEntry(text, own, (document) => {
    const [pair] = isMap(document.contents) ? document.contents.items : [];
    if (isScalar(pair?.key)) pair.key.value = version;
    for (const [name, said] of Object.entries({ ...defined({ parent }), date })) document.setIn([version, name], said);
    const listed = document.getIn([version, "changes"]);
    const list = isSeq(listed) ? listed : new YAMLSeq();
    const known = list.toJSON() as readonly unknown[];
    for (const change of changes) if (!known.includes(change)) list.add(change);
    document.setIn([version, "changes"], list);
    if (accepts.length === 0) return;
    const before = document.getIn([version, "accepts"]);
    const accepted = isSeq(before) ? before : new YAMLSeq();
    for (const entry of accepts) accepted.add(document.createNode(entry));
    document.setIn([version, "accepts"], accepted);
  });
}

/** Edits an entry by itself, so that no comment around it is taken for one of its own. */
function editEntry(text: string, own: Pair, change: (document: Document) => void): Edit {
  const column = columnOf(text, own);
  const [from, to] = [rangeOf(own.key)[0] - column, endOf(text, own)];
  const document = parseDocument(text.slice(from, to));
  change(document);
  return { from, to, text: toLines(document, column).join(eolOf(text)) };
}

function toLines(document: Document, column: number): readonly string[] {
  const lines = document.toString({ lineWidth: 0 }).trimEnd().split("\n");
  return lines.map((line) => (line === "" ? "" : " ".repeat(column) + line));
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((done, { from, to, text: put }) => done.slice(0, from) + put + done.slice(to), text);
}

function rangeOf(node: unknown): readonly [from: number, to: number, end: number] {
  const range = isScalar(node) ? node.range : undefined;
  if (range) return range;
  throw new CairnError("BAD_REQUEST", "The file has no version where one should stand.");
}

function findKey({ contents }: Document, name: string): unknown {
  const pairs = isMap(contents) ? contents.items : [];
  return pairs.find((pair) => keyOf(pair) === name)?.key;
}

/** Finds the end of the entry's last line: of its key, and of the lines below that begin further to the right. */
function endOf(text: string, pair: Pair): number {
  const column = columnOf(text, pair);
  let end = lineEnd(text, rangeOf(pair.key)[1]);
  for (let at = text.indexOf("\n", end) + 1; at > 0; at = text.indexOf("\n", at) + 1) {
    const to = lineEnd(text, at);
    const indent = text.slice(at, to).search(/\S/);
    if (indent >= 0 && indent <= column) break;
    if (indent > column) end = to;
  }
  return end;
}

function lineEnd(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  if (feed === -1) return text.length;
  return text[feed - 1] === "\r" ? feed - 1 : feed;
}

function columnOf(text: string, pair: Pair | undefined): number {
  const [from] = rangeOf(pair?.key);
  return from - (text.lastIndexOf("\n", from - 1) + 1);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : "");
}

function isNewestFirst({ items }: YAMLMap): boolean {
  const [first, last] = [items[0], items.at(-1)].map((pair) => readVersionName(pair === undefined ? "" : keyOf(pair)));
  return first !== undefined && last !== undefined && compareNames(first, last) < 0;
}
