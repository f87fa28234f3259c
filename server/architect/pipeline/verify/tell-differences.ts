import { listChanges } from "../../../semver/changelog.ts";
import type { Finding } from "../../../semver/finding.ts";
import { findTextFaults } from "../../guard/find-text-faults.ts";
import { readFileLine } from "../../planners/file-line.ts";

/** Differences that take the place of files. */
const TOLD = 8;

/**
 * Says what differs in place of which files differ, as far as a comparison of the two trees names it. Files about which it
 * says nothing keep their sentence, and so does all that is no sentence about a file.
 */
export function tellDifferences(changes: readonly string[], findings: readonly Finding[]): readonly string[] {
  if (changes.length === 0) return listChanges(findings);
  const paths = new Set(changes.flatMap((text) => readFileLine(text) ?? []));
  if (paths.size === 0) return changes;
  const own = changes.filter((text) => readFileLine(text) === undefined);
  // That a handler has other code is what its file's sentence says. Schemas of their own are told of where they are used.
  const known = findings.filter(
    ({ rule, place }) => rule !== "handler-changed" && (own.length === 0 || paths.has(place.file)),
  );
  const told = listChanges(known).filter((text) => findTextFaults([], [["change", text]]).length === 0);
  if (told.length === 0) return changes;
  const covered = new Set(known.map(({ place }) => place.file));
  const left = changes.filter((text) => {
    const path = readFileLine(text);
    return path !== undefined && !covered.has(path);
  });
  const more = told.length - TOLD;
  const rest = more <= 0 ? [] : [`There ${more === 1 ? "is 1 more difference" : `are ${more} more differences`}.`];
  return [...own, ...told.slice(0, TOLD), ...rest, ...left];
}
