import type { Key } from "./store.ts";

/** Key of the plan that the service has handed in with a renewal, by the id of its feedback. */
export function renewalPlanKey(tenant: string, id: string): Key {
  return ["renewal-plan", tenant, id];
}

/** Key of the last renewal of an import: its feedback, and what it was about. */
export function renewalKey(kind: string, name: string): Key {
  return ["renewal", kind, name];
}

/** Key of the time at which sources of imports were asked last. */
export const DRIFT_LOOKED: Key = ["drift-looked"];
