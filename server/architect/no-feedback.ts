import { CairnError } from "../errors.ts";

/** Creates the error for feedback that does not exist, belongs to another tenant or is hidden from the caller. */
export function noFeedback(id: string): CairnError {
  return new CairnError("NOT_FOUND", `There is no feedback \`${id.slice(0, 64)}\` here.`);
}
