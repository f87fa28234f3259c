import { uniformAt } from "../uniform.ts";

/**
 * The draw that decides a conversation's arm: always the same one, so a conversation that comes back while the
 * propensities stand keeps its arm, and anyone can check an assignment. The key is the JSON array of the three, which
 * keeps experiments of one conversation independent of each other.
 */
export function assignmentDraw(seed: string, experiment: string, conversationId: string): number {
  return uniformAt(JSON.stringify([seed, experiment, conversationId]), 0);
}
