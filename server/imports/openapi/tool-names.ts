import type { Operation } from "./list-operations.ts";

/** Characters of a tool's name, the server's name and a dot included. */
const MAX_NAME = 64;
/** Name that a folder of manifests uses itself. */
const RESERVED = new Set(["server"]);

/**
 * Names tools after operations: `issues/list-for-repo` becomes `issues_list_for_repo`; an operation without an id is named by
 * its method and path. `known` are the names that an earlier import gave, by key of the operation; they stay.
 */
export function nameTools(
  operations: readonly Operation[],
  { server, known }: { readonly server: string; readonly known: ReadonlyMap<string, string> },
): ReadonlyMap<Operation, string> {
  const room = MAX_NAME - server.length - 1;
  const taken = new Set([...RESERVED, ...known.values()]);
  const names = new Map<Operation, string>();
  for (const operation of operations) {
    const name = known.get(operation.key) ?? findFree(toStem(operation, room), room, taken);
    taken.add(name);
    names.set(operation, name);
  }
  return names;
}

function toStem({ id, method, path }: Operation, room: number): string {
  const words = toWords(id ?? `${method} ${path.replaceAll("{", "by ")}`);
  return shorten(words.length === 0 ? [method.toLowerCase(), "root"] : words, room);
}

/** Splits a name at signs and at humps: `listURLsForRepo` has four words. */
function toWords(text: string): readonly string[] {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])(?!\b)/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Joins words; where that is too long, words repeated and then words in the middle go. */
function shorten(words: readonly string[], room: number): string {
  let left = words;
  const length = () => left.join("_").length;
  if (length() > room) left = left.filter((word, index) => left.indexOf(word) === index);
  while (length() > room && left.length > 2) left = left.toSpliced(Math.floor(left.length / 2), 1);
  const name = left.join("_").slice(0, room).replace(/_+$/, "");
  return /^[a-z]/.test(name) ? name : `op_${name}`.slice(0, room);
}

function findFree(name: string, room: number, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? "" : `_${count}`;
    const candidate = name.slice(0, room - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
