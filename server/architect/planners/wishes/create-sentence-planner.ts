import { createDirectivePlanner } from "../directives/create-directive-planner.ts";
import { speaksOfEvidence } from "../evidence/speaks-of-evidence.ts";
import type { Plan } from "../plan.ts";
import type { Planner } from "../planner.ts";
import { createWishPlanner } from "./create-wish-planner.ts";

/**
 * Makes plans of what is clear without a model: sentences of docs/architect.md first, and then wishes in other words. What
 * the first refuse gives way to a clear reading of the second, and to a question with readings.
 */
export function createSentencePlanner(): Planner {
  const directives = createDirectivePlanner();
  const wishes = createWishPlanner();
  return Object.freeze<Planner>({
    name: "directives",
    async plan(feedback, ground): Promise<Plan | undefined> {
      if (feedback.choice !== undefined) return wishes.plan(feedback, ground);
      const exact = await directives.plan(feedback, ground);
      if (exact !== undefined && exact.kind !== "reject") return exact;
      if (feedback.attachments.length > 0 || speaksOfEvidence(feedback.message)) return exact;
      const read = await wishes.plan(feedback, ground);
      const isClear =
        read !== undefined && (read.kind !== "reject" || (exact !== undefined && read.readings !== undefined));
      return isClear ? read : exact;
    },
  });
}
