import { CairnError } from "../errors.ts";

/** What there is not, is another tenant's, or is nobody's business who asks. */
export function noFeedback(id: string): CairnError {
  return new CairnError("NOT_FOUND", `There is no feedback \`${id.slice(0, 64)}\` here.`);
}
