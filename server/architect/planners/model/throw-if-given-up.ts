import { CairnError } from "../../../errors.ts";

/** Throws CANCELLED once nobody waits for the plan any more. */
export function throwIfGivenUp(signal: AbortSignal): void {
  if (signal.aborted) throw new CairnError("CANCELLED", "The plan was given up before it was made.");
}
