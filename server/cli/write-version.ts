import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from "yaml";
import { CairnError } from "../errors.ts";
import { readVersionName, compareNames } from "../versions/version-name.ts";

export interface Release {
  readonly version: string;
  /** A version that was never released, whose entry becomes this one's. */
  readonly replaced: string | undefined;
  readonly parent: string;
  /** RFC 3339. */
  readonly date: string;
  readonly changes: readonly string[];
}

/** versions.yaml with a new current version; comments, order and quotes stay as they are. */
export function writeRelease(text: string, { version, replaced, parent, date, changes }: Release): string {
  const document = parseDocument(text);
  const versions = document.get("versions");
  if (!isMap(versions)) throw new CairnError("BAD_REQUEST", "versions.yaml has no `versions`.");
  if (replaced !== undefined) renameEntry(document, replaced, version);
  const listed = readChanges(document, version);
  const entry = { parent, date, changes: [...listed, ...changes.filter((change) => !listed.includes(change))] };
  if (versions.has(version)) {
    for (const [key, value] of Object.entries(entry)) document.setIn(["versions", version, key], value);
  } else {
    const pair = document.createPair(version, entry);
    if (isNewestFirst(versions)) putFirst(versions, pair);
    else versions.items.push(pair);
  }
  document.set("current", version);
  return document.toString({ lineWidth: 0 });
}

/** A tool's manifest with another version; not one other character of it changes. */
export function writeToolVersion(text: string, version: string): string {
  const document = parseDocument(text);
  const node = document.get("version", true);
  if (!isScalar(node) || !node.range) throw new CairnError("BAD_REQUEST", "The tool's manifest has no `version`.");
  const [from, to] = node.range;
  return text.slice(0, from) + version + text.slice(to);
}

function renameEntry(document: Document, from: string, to: string): void {
  const versions = document.get("versions");
  const key = isMap(versions)
    ? versions.items.find((item) => isScalar(item.key) && item.key.value === from)?.key
    : undefined;
  if (isScalar(key)) key.value = to;
  const labels = document.get("labels");
  for (const { value } of isMap(labels) ? labels.items : [])
    if (isScalar(value) && value.value === from) value.value = to;
}

function readChanges(document: Document, version: string): readonly unknown[] {
  const changes = document.getIn(["versions", version, "changes"]);
  return isSeq(changes) ? (changes.toJSON() as readonly unknown[]) : [];
}

function putFirst(versions: YAMLMap, pair: Pair): void {
  const [first] = versions.items;
  // What stands above the first entry was said of that entry.
  if (isScalar(first?.key) && versions.commentBefore) {
    first.key.commentBefore = versions.commentBefore;
    versions.commentBefore = null;
  }
  versions.items.unshift(pair);
}

function isNewestFirst({ items }: YAMLMap): boolean {
  const [first, last] = [items[0], items.at(-1)].map((pair) =>
    readVersionName(String(isScalar(pair?.key) ? pair.key.value : "")),
  );
  return first !== undefined && last !== undefined && compareNames(first, last) < 0;
}
