import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse, stringify } from "yaml";
import { isObject } from "../../../server/json/is-object.ts";
import type { BumpRule } from "../../../server/semver/bump-rules.ts";
import { changeTree } from "../../fixtures/trees/good-tree.ts";

/** Kinds of changes, each with the values before and after it: none, the lower or first one, the higher or second one. */
export const CHANGES = {
  added: ["none", "first"],
  removed: ["first", "none"],
  changed: ["first", "second"],
  raised: ["first", "second"],
  lowered: ["second", "first"],
  widened: ["first", "second"],
  narrowed: ["second", "first"],
  gained: ["first", "second"],
  lost: ["second", "first"],
} as const;

export type ChangeKind = keyof typeof CHANGES;
const CHANGE_KINDS = Object.keys(CHANGES) as readonly ChangeKind[];

type Values = Readonly<Record<string, unknown>>;
type Files = Readonly<Record<string, string | undefined>>;

/** A key of a manifest as its file describes it. Paths are keys with dots, or JSON Pointers. */
type KeyEntry = Partial<Record<ChangeKind, BumpRule | "none" | readonly BumpRule[]>> & {
  readonly values?: readonly unknown[];
  /** Value of a key that has only one, and so cannot change. */
  readonly fixed?: unknown;
  readonly at?: string;
  /** What else the manifest has: always, where the key is absent, and with the second value. `without` goes with the key. */
  readonly with?: Values;
  readonly else?: Values;
  readonly also?: Values;
  readonly without?: string;
  /** Key that the manifest has only where it lacks this one. */
  readonly instead?: string;
  /** The second value of `changed`, where that is no wider one. */
  readonly to?: unknown;
  /** Part of the tree whose files are named after the value. */
  readonly renames?: "server" | "tool" | "upstream" | "workflow";
  readonly why?: Partial<Record<ChangeKind, string>>;
};

interface KeyFile {
  readonly schema: string;
  readonly file: string;
  readonly files?: Files;
  readonly tree?: Readonly<Record<string, null>>;
  readonly base: Values;
  readonly keys: Readonly<Record<string, KeyEntry & { readonly tree?: Readonly<Record<string, null>> }>>;
}

/** One change of one key: values and files before and after, and the rules that find it. */
export interface KeyChange {
  readonly kind: string;
  readonly key: string;
  readonly change: ChangeKind;
  readonly values: readonly [before: unknown, after: unknown];
  readonly rules: readonly BumpRule[];
  readonly why?: string;
  readonly trees: readonly [Files, Files];
}

export interface ManifestKind {
  readonly kind: string;
  readonly schema: string;
  /** Key to the kinds of changes that it has; none for a key with one value. */
  readonly keys: ReadonlyMap<string, readonly ChangeKind[]>;
  readonly changes: readonly KeyChange[];
}

/** Reads the table of this folder: every key of every kind of manifest, and what its changes ask for. */
export function readKeys(): readonly ManifestKind[] {
  return globSync("*.yaml", { cwd: import.meta.dirname })
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(import.meta.dirname, name), "utf8");
      const file = parse(text, { merge: true, maxAliasCount: 1000 }) as KeyFile;
      const kind = basename(name, ".yaml");
      const entries = Object.entries(file.keys);
      const changesOf = (entry: KeyEntry) => CHANGE_KINDS.filter((change) => entry[change] !== undefined);
      return {
        kind,
        schema: file.schema,
        keys: new Map(entries.map(([key, entry]) => [key, changesOf(entry)])),
        changes: entries.flatMap(([key, entry]) => changesOf(entry).map((change) => toChange(kind, file, key, change))),
      };
    });
}

function toChange(kind: string, file: KeyFile, key: string, change: ChangeKind): KeyChange {
  const entry = file.keys[key] ?? {};
  const rules = entry[change] ?? "none";
  const toValue = (which: "none" | "first" | "second") => {
    if (which === "none") return undefined;
    if (which === "first") return entry.values?.[0];
    return change === "changed" && entry.to !== undefined ? entry.to : entry.values?.[1];
  };
  const [before, after] = CHANGES[change];
  const values = [toValue(before), toValue(after)] as const;
  const why = entry.why?.[change];
  return {
    kind,
    key,
    change,
    values,
    rules: rules === "none" ? [] : typeof rules === "string" ? [rules] : rules,
    ...(why !== undefined && { why }),
    trees: [toTree(file, key, entry, values[0]), toTree(file, key, entry, values[1])],
  };
}

function toTree(file: KeyFile, key: string, entry: KeyFile["keys"][string], value: unknown): Files {
  const manifest = structuredClone(file.base) as Record<string, unknown>;
  for (const [path, held] of Object.entries(entry.with ?? {})) put(manifest, path, structuredClone(held));
  put(manifest, entry.at ?? key, structuredClone(value));
  if (value === undefined && entry.without !== undefined) put(manifest, entry.without, undefined);
  if (value !== undefined && entry.instead !== undefined) put(manifest, entry.instead, undefined);
  const further = value === undefined ? entry.else : value === entry.values?.[1] ? entry.also : undefined;
  for (const [path, held] of Object.entries(further ?? {})) put(manifest, path, structuredClone(held));
  const gone = Object.fromEntries(Object.keys({ ...file.tree, ...entry.tree }).map((path) => [path, undefined]));
  const files = changeTree({ ...file.files, ...gone, [file.file]: stringify(manifest) }) as Files;
  return entry.renames === undefined ? files : rename(files, entry.renames, String(entry.values?.[0]), String(value));
}

/** Sets a value, or takes it out where there is none, or null. Lists and maps on the way are entered at their first item, or made. */
function put(manifest: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.startsWith("/") ? path.slice(1).split("/") : path.replaceAll("[]", ".0").split(".");
  const last = steps.pop() ?? "";
  let node: Record<string, unknown> = manifest;
  for (const step of steps) {
    if (!isObject(node[step]) && !Array.isArray(node[step])) node[step] = {};
    node = node[step] as Record<string, unknown>;
  }
  if (value !== undefined && value !== null) node[last] = value;
  else if (Array.isArray(node)) node.splice(Number(last), 1);
  else delete node[last];
}

/** Moves the files of a server, tool, upstream or workflow that has another name. */
function rename(files: Files, what: "server" | "tool" | "upstream" | "workflow", from: string, into: string): Files {
  const moved = (path: string) => {
    if (what === "server") return path.replace(`/${from}/`, `/${into}/`);
    const [old, young] = [from, into].map((name) => name.replace(".", "/"));
    return path.replace(new RegExp(`/${old}\\.(yaml|ts)$`), `/${young}.$1`);
  };
  const inside = (text: string) => (what === "server" ? text.replaceAll(`name: ${from}.`, `name: ${into}.`) : text);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [moved(path), text && inside(text)]));
}
