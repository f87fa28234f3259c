import type { Problem } from "../versions/problem.ts";
import type { Readable } from "../versions/read-text-of.ts";
import type { Scope } from "../versions/registry/judge/bases.ts";
import { compareInTurns } from "./compare-in-turns.ts";
import { judgeDifference } from "./judge-difference.ts";

/**
 * What is wrong with the numbers of `after`, measured against `before`: for each number that says too little one problem,
 * followed by what it fails to say. `scope` says which numbers: docs/semver.md has what each is for.
 */
export async function judgeClaim(before: Readable, after: Readable, scope: Scope): Promise<readonly Problem[]> {
  const difference = await compareInTurns(before.version, after.version);
  return judgeDifference(difference, before, after, scope);
}
