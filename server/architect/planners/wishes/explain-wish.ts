import type { RejectPlan } from "../plan.ts";
import type { Heard } from "./create-wish-planner.ts";
import type { Places } from "./places.ts";

/** Undefined: nothing was recognised that is worth saying. */
export function explainWish(_heard: readonly Heard[], _places: Places): RejectPlan | undefined {
  return undefined;
}
