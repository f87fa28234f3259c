import type { Problem } from "../versions/problem.ts";
import type { Readable } from "../versions/read-text-of.ts";
import type { Scope } from "../versions/registry/judge/bases.ts";
import { compareInTurns } from "./compare-in-turns.ts";
import { judgeDifference } from "./judge-difference.ts";

/**
 * Judges the numbers of `after`, measured against `before`: one problem for each number that claims too little, followed
 * by the changes that it hides. `scope` selects the numbers; docs/semver.md explains each.
 */
export async function judgeClaim(before: Readable, after: Readable, scope: Scope): Promise<readonly Problem[]> {
  const difference = await compareInTurns(before.version, after.version);
  return judgeDifference(difference, before, after, scope);
}
