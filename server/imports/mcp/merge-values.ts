import { isObject } from "../../json/is-object.ts";
import { isDeepStrictEqual } from "node:util";

export type Path = readonly (string | number)[];

/** Keys whose text people may word in their own way. */
const TEXTS: ReadonlySet<string> = new Set(["title", "description", "examples"]);

/**
 * Merges a manifest made of a new listing (`theirs`) into the one that people edited (`ours`); both descend from `base`. A value
 * that one side changed is that side's. Of a value that both changed, texts stay people's, and anything else becomes the server's:
 * `onConflict` takes its path. Returns undefined for a value that goes away.
 */
export function mergeValues(
  base: unknown,
  ours: unknown,
  theirs: unknown,
  onConflict: (path: Path, isOurs: boolean) => void,
  path: Path = [],
): unknown {
  if (isDeepStrictEqual(ours, base)) return theirs;
  if (isDeepStrictEqual(theirs, base) || isDeepStrictEqual(ours, theirs)) return ours;
  if (isObject(ours) && isObject(theirs)) {
    const before = isObject(base) ? base : {};
    const merged: Record<string, unknown> = {};
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const value = mergeValues(before[key], ours[key], theirs[key], onConflict, [...path, key]);
      if (value !== undefined) merged[key] = value;
    }
    return merged;
  }
  // A property may be named `title` too: its schema is no text.
  const isOurs = TEXTS.has(String(path.at(-1))) && !isObject(ours) && !isObject(theirs);
  onConflict(path, isOurs);
  return isOurs ? ours : theirs;
}
