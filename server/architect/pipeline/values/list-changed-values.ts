import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../json/is-object.ts";
import { toKind } from "../../../versions/manifests/to-kind.ts";
import { readYaml } from "../../../versions/manifests/yaml/read-yaml.ts";
import { isPartOfVersion } from "../../../versions/tree.ts";
import type { FileChanges } from "../merge-files.ts";

/** Value of a manifest that a change makes another. */
export interface ChangedValue {
  /** Name of the tool; of another manifest, its path. */
  readonly place: string;
  /** Keys that lead to it, as `input.properties.units.enum[2]`; empty for a whole manifest. */
  readonly key: string;
  /** Undefined: there was none. */
  readonly before: unknown;
  /** Undefined: there is none any more. */
  readonly after: unknown;
}

type Difference = Omit<ChangedValue, "place">;

/**
 * Lists which values of manifests a change makes others, and of `versions.yaml` the labels. Of a list, these
 * are the items that it gains, loses or has otherwise. A manifest that is new or gone counts as one value, without what is in it.
 */
export async function listChangedValues(
  files: FileChanges,
  readBefore: (path: string) => Promise<string | undefined>,
): Promise<readonly ChangedValue[]> {
  const paths = new Set(files.keys());
  const found: ChangedValue[] = [];
  for (const [path, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!isPartOfVersion(path) || !path.endsWith(".yaml")) continue;
    const kind = toKind(path, paths);
    if (kind.kind === "other" || kind.kind === "unknown") continue;
    const [before, after] = [read(path, await readBefore(path)), read(path, text ?? undefined)];
    const name = toName(kind.kind === "tool" ? (after ?? before) : undefined);
    const [old, young] = kind.kind === "versions" ? [toLabels(before), toLabels(after)] : [before, after];
    found.push(...compare(old, young, "").map((one) => ({ place: name ?? path, ...one })));
  }
  return found;
}

/** Reads a manifest; one that is no YAML, as before a repair, has no values. */
function read(path: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const yaml = readYaml(path, text);
  return yaml.ok ? yaml.value : undefined;
}

function toName(manifest: unknown): string | undefined {
  const name = isObject(manifest) ? manifest["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function toLabels(versions: unknown): unknown {
  return { labels: (isObject(versions) ? versions["labels"] : undefined) ?? {} };
}

function compare(before: unknown, after: unknown, key: string): readonly Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => compare(memberOf(before, name), memberOf(after, name), toKey(key, name)));
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, key);
  return [{ key, before, after }];
}

/** Compares what lies between the items that both lists begin and end with: one by one where as many come as go. */
function compareLists(before: readonly unknown[], after: readonly unknown[], key: string): readonly Difference[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isDeepStrictEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < most - start && isDeepStrictEqual(before[before.length - 1 - end], after[after.length - 1 - end]))
    end += 1;
  const [gone, come] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const toItem = (at: number) => `${key}[${start + at}]`;
  if (gone.length === come.length) return gone.flatMap((item, at) => compare(item, come[at], toItem(at)));
  return [
    ...gone.map((item, at): Difference => ({ key: toItem(at), before: item, after: undefined })),
    ...come.map((item, at): Difference => ({ key: toItem(at), before: undefined, after: item })),
  ];
}

function memberOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function toKey(key: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${key}[${JSON.stringify(name)}]`;
  return key === "" ? name : `${key}.${name}`;
}
