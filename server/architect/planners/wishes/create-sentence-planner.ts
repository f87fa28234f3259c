import { INVALID } from "../directives/check-manifests.ts";
import { createDirectivePlanner } from "../directives/create-directive-planner.ts";
import { PARTLY } from "../directives/read-deeds.ts";
import { speaksOfEvidence } from "../evidence/speaks-of-evidence.ts";
import type { Plan } from "../plan.ts";
import type { Planner } from "../planner.ts";
import { createWishReader } from "./create-wish-planner.ts";
import { listPlaces } from "./places/list-places.ts";
import { isWithheld } from "./speaks-of-wish.ts";

/**
 * Makes plans of what is clear without a model: sentences of docs/architect.md first, and then wishes in other words. A refusal
 * of the first gives way to a clear reading of the second; its reason stays where the second has a question.
 */
export function createSentencePlanner(readWish = createWishReader()): Planner {
  const directives = createDirectivePlanner();
  return Object.freeze<Planner>({
    name: "directives",
    async plan(feedback, ground): Promise<Plan | undefined> {
      const said = await directives.plan(feedback, ground);
      const hasMore = feedback.attachments.length > 0;
      // What else a message says of its own sentence, the second hears.
      const isHeld = () => !hasMore && isWithheld(feedback.message, listPlaces(ground.version));
      if (said !== undefined && said.kind !== "reject" && !isHeld()) return said;
      const exact = said?.kind === "reject" ? said : undefined;
      const isRefused = exact !== undefined && !exact.reason.startsWith(PARTLY);
      if (hasMore) return exact;
      // What is said of rewards is for the planner of evidence, and behind it for that of wishes.
      if (speaksOfEvidence(feedback.message)) return isRefused ? exact : undefined;
      const read = await readWish(feedback, ground);
      if (read === undefined) return exact;
      if (read.kind !== "reject") return read;
      // Why a clear wish cannot be done says more than that no sentence of the page fits.
      if (read.readings === undefined && read.reason.startsWith(INVALID)) return read;
      if (exact === undefined || read.readings === undefined) return exact;
      return isRefused ? { ...read, reason: exact.reason, accepted: `${exact.accepted} ${read.accepted}` } : read;
    },
  });
}
