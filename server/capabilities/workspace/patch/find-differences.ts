import { CairnError } from "../../../errors.ts";
import { type FilePatch, readPatch } from "./read-patch.ts";

/** Name of a patch as a whole, where it cannot be read file by file. */
const ALL = "all of it";

/**
 * Finds the files in which a patch does something else than another one. How many lines stand around a change, and in which order
 * files come, makes no difference. A change that is no text is compared byte by byte.
 */
export function findDifferences(patch: string, actual: string): readonly string[] {
  if (patch === actual || (patch.trim() === "" && actual.trim() === "")) return [];
  const [one, other] = [patch, actual].map(readFiles);
  if (one === undefined || other === undefined) return [ALL];
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).toSorted();
}

/** Describes for each file how a patch changes it, as text to compare; undefined for a patch that cannot be read. */
function readFiles(text: string): ReadonlyMap<string, string> | undefined {
  if (text.trim() === "") return new Map();
  try {
    return new Map(readPatch(text).map((file) => [file.path, toText(file)]));
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

function toText({ change, from, hunks }: FilePatch): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => /^[+-]/.test(line)));
  return JSON.stringify([change, change === "renamed" ? from : "", lines]);
}
