import { canonicalJson } from "../json/canonical-json.ts";
import { isObject } from "../json/is-object.ts";
import type { Json } from "../store/store.ts";
import { defined } from "../json/defined.ts";
import { toPointer } from "../json/pointer.ts";

/** One place at which two values differ; a side that has nothing there is absent. */
export interface Difference {
  /** Absent: in the output. Else `error`, `state`, `session`, or the syscall whose arguments differ. */
  readonly at?: string;
  /** Key of the state. */
  readonly key?: Json;
  /** JSON Pointer; "" is the whole value. */
  readonly path: string;
  readonly expected?: Json;
  readonly actual?: Json;
  /** Type and size in place of an `actual` value that must not be shown. */
  readonly hidden?: string;
}

const MAX_DIFFERENCES = 50;
const MAX_SHOWN = 200;

/** Finds where `actual` differs from `expected`, in the order of the paths' names; the first ones of very many. */
export function diffValues(expected: Json, actual: Json): readonly Difference[] {
  const found: Difference[] = [];
  compare(expected, actual, "");
  return found;

  function compare(one: Json | undefined, other: Json | undefined, path: string): void {
    if (found.length >= MAX_DIFFERENCES) return;
    const [left, right] = [toParts(one), toParts(other)];
    if (left !== undefined && right !== undefined && Array.isArray(one) === Array.isArray(other)) {
      for (const name of new Set([...left.keys(), ...right.keys()])) {
        compare(left.get(name), right.get(name), path + toPointer([name]));
      }
      return;
    }
    if (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other)) return;
    found.push({
      path,
      ...defined({ expected: one, actual: other }),
    });
  }
}

/**
 * Differences without anything of the actual value: neither its texts and numbers, nor the names of members that were not
 * expected.
 */
export function hideActual(differences: readonly Difference[]): readonly Difference[] {
  const more = new Set<string>();
  return differences.flatMap(({ path, expected, actual }): readonly Difference[] => {
    if (actual === undefined) return [{ path, ...defined({ expected }) }];
    if (expected !== undefined) return [{ path, expected, hidden: describeSize(actual) }];
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (more.has(parent)) return [];
    more.add(parent);
    return [{ path: parent, hidden: "something more" }];
  });
}

/** One line for people: `/greeting: expected "Hello", got "Hallo"`. */
export function showDifference({ at, key, path, expected, actual, hidden }: Difference): string {
  if (at === "error")
    return actual === undefined
      ? `it answers, and ended with ${showError(expected)}`
      : `it ends with ${showError(actual)}`;
  const got = hidden === undefined ? show(actual) : `${hidden} (not shown)`;
  const where =
    at === undefined ? path || "the output" : [at, ...(key === undefined ? [] : [show(key)]), path].join(" ").trimEnd();
  return `${where}: expected ${show(expected)}, got ${got}`;
}

function showError(error: Json | undefined): string {
  const { name, message } = error as { readonly name: string; readonly message?: string };
  return message === undefined ? `${name} (message not shown)` : `${name}${message === "" ? "" : `: ${message}`}`;
}

function describeSize(value: Json): string {
  if (typeof value === "string") return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length} items`;
  if (isObject(value)) return `an object of ${Object.keys(value).length} members`;
  return value === null ? "null" : `a ${typeof value}`;
}

function show(value: Json | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`;
}

/** Members or items by name; nothing of what has none. */
function toParts(value: Json | undefined): ReadonlyMap<string, Json> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item: Json, index) => [String(index), item]));
  return isObject(value) ? new Map(Object.entries(value as Readonly<Record<string, Json>>)) : undefined;
}
