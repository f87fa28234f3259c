import type { Problem } from "../versions/problem.ts";
import { readTextOf } from "../versions/read-text-of.ts";
import type { ClaimSide } from "../versions/registry/claims.ts";
import { compareInTurns } from "./compare-in-turns.ts";
import { judgeDifference, type Readable } from "./judge-difference.ts";

/**
 * What is wrong with the number of `after`, and with those of its tools, measured against `before`: for each number that
 * says too little one problem, followed by what it fails to say.
 */
export async function judgeClaim(before: ClaimSide, after: ClaimSide): Promise<readonly Problem[]> {
  const difference = await compareInTurns(before.version, after.version);
  return judgeDifference(difference, toReadable(before), toReadable(after));
}

function toReadable({ version, tree }: ClaimSide): Readable {
  return { version, readText: (file) => readTextOf(tree, file) };
}
