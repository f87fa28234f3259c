import type { Problem } from "../versions/problem.ts";
import type { Readable } from "../versions/read-text-of.ts";
import type { Scope } from "../versions/registry/judge/bases.ts";
import { compareInTurns } from "./compare-in-turns.ts";
import { judgeDifference, locateFaults } from "./judge-difference.ts";

/**
 * Judges the numbers of `after`, measured against `before`: one problem for each number that claims too little, followed
 * by the changes that it hides. `scope` selects the numbers; docs/semver.md explains each.
 *
 * Tagged trees that do not say how they are compared may have been served by JSON Schema alone, and stay served: with
 * `isTagged`, a number is enough that says enough by either reading.
 */
export async function judgeClaim(
  before: Readable,
  after: Readable,
  scope: Scope,
  isTagged: boolean,
): Promise<readonly Problem[]> {
  const difference = await compareInTurns(before.version, after.version);
  const claimed = await judgeDifference(difference, before, after, scope);
  // What is served stays served, although a later Cairn may prove that nothing was broken.
  const problems = isTagged ? claimed : [...claimed, ...(await locateFaults(difference, after))];
  if (problems.length === 0 || !isTagged || after.version.agent.compare !== undefined) return problems;
  const plain = await compareInTurns(before.version, after.version, "plain");
  return (await judgeDifference(plain, before, after, scope)).length === 0 ? [] : problems;
}
