import type { Version } from "../versions/version.ts";

/**
 * Reading of a difference. `declared`: callers and clients know the members that schemas declare, and no others. `strict`:
 * every value that the service takes or sends counts. `plain`: JSON Schema alone, as versions were judged before trees
 * could choose; see `judgeClaim`.
 */
export type Reading = "declared" | "strict" | "plain";

/** Chooses the reading of two versions: who had a strict promise has it in the next version, too. */
export function toReading(before: Pick<Version, "agent">, after: Pick<Version, "agent">): Reading {
  return [before, after].some(({ agent }) => agent.compare === "strict") ? "strict" : "declared";
}
