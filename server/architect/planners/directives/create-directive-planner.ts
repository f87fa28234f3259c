import { speaksOfEvidence } from "../evidence/speaks-of-evidence.ts";
import type { Plan } from "../plan.ts";
import type { Planner } from "../planner.ts";
import { toRejection } from "../../guard/refuse.ts";
import { createBench } from "./bench.ts";
import { createManifestCheck } from "./check-manifests.ts";
import { PHRASES } from "./phrases.ts";
import { halfUnderstood, readDeeds } from "./read-deeds.ts";

/** Makes plans of messages that say in so many words what is to be done; no model has a part in it. */
export function createDirectivePlanner(): Planner {
  const checkManifests = createManifestCheck();
  return Object.freeze<Planner>({
    name: "directives",
    async plan(feedback, ground): Promise<Plan | undefined> {
      try {
        const read = readDeeds(feedback, ground, PHRASES);
        if (read === undefined || speaksOfEvidence(read.rest)) return undefined;
        if (read.rest !== "") throw halfUnderstood(read.rest);
        const bench = createBench(ground);
        for (const deed of read.deeds) await deed(bench);
        const plan = bench.toPlan();
        if (plan.kind === "change") await checkManifests(plan.files, ground);
        return plan;
      } catch (error) {
        return toRejection(error);
      }
    },
  });
}
