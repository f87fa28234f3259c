import type { Phrase } from "./phrase.ts";
import { STATE_PHRASES } from "./phrases/adjust-state.ts";
import { CAPABILITY_PHRASES } from "./phrases/change-capabilities.ts";
import { EXAMPLE_PHRASES } from "./phrases/change-examples.ts";
import { FIELD_PHRASES } from "./phrases/change-fields.ts";
import { FILE_PHRASES } from "./phrases/change-files.ts";
import { LENGTH_PHRASES } from "./phrases/change-length.ts";
import { LIMIT_PHRASES } from "./phrases/change-limits.ts";
import { TEXT_PHRASES } from "./phrases/change-texts.ts";
import { TOOL_PHRASES } from "./phrases/change-tools.ts";
import { VALUE_PHRASES } from "./phrases/change-values.ts";
import { LABEL_PHRASES } from "./phrases/move-labels.ts";
import { PARAMETER_PHRASES } from "./phrases/set-parameters.ts";
import { TUNE_PHRASES } from "./phrases/tune.ts";
import { speaksOfEvidence } from "../evidence/speaks-of-evidence.ts";
import type { Plan } from "../plan.ts";
import type { Planner } from "../planner.ts";
import { toRejection } from "../../guard/refuse.ts";
import { createBench } from "./bench.ts";
import { createManifestCheck } from "./check-manifests.ts";
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

/** All that is understood: what is more special comes first. */
const PHRASES: readonly Phrase[] = [
  ...FILE_PHRASES,
  ...STATE_PHRASES,
  ...TEXT_PHRASES,
  ...LIMIT_PHRASES,
  ...LABEL_PHRASES,
  ...EXAMPLE_PHRASES,
  ...CAPABILITY_PHRASES,
  ...FIELD_PHRASES,
  ...LENGTH_PHRASES,
  ...PARAMETER_PHRASES,
  ...VALUE_PHRASES,
  ...TUNE_PHRASES,
  ...TOOL_PHRASES,
];
