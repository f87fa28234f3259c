import { createEvidencePlanner } from "../architect/planners/evidence/create-evidence-planner.ts";
import { createModelPlanner } from "../architect/planners/model/create-model-planner.ts";
import type { Planner } from "../architect/planners/planner.ts";
import { createSentencePlanner } from "../architect/planners/wishes/create-sentence-planner.ts";
import { createWishPlanner, createWishReader } from "../architect/planners/wishes/create-wish-planner.ts";
import type { Config } from "../config/config.ts";
import type { Redactor } from "../log/redact.ts";

/** Creates the planners of a service, for feedback and for objectives of tasks alike: what can be read, and the model where there is one. */
export function createPlanners(options: {
  readonly config: Pick<Config, "model">;
  readonly now: () => number;
  readonly redactor: Redactor;
}): readonly Planner[] {
  const { config, now, redactor } = options;
  const read = createWishReader();
  return [
    createSentencePlanner(read),
    createEvidencePlanner(),
    ...(config.model === undefined ? [] : [createModelPlanner({ model: config.model, now, redactor })]),
    createWishPlanner(read),
  ];
}
