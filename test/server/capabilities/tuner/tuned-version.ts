import type { Version } from "../../../../server/versions/version.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { toneSet } from "./tuned-set.ts";

/** A version with the experiment `style`, as several processes have it. */
export const TUNED_VERSION: Version = {
  ...createTestVersion(),
  parameters: new Map([["style", toneSet({ kind: "thompson" })]]),
};

export function conversationId(index: number): string {
  return `01234567-89ab-7def-8123-${index.toString(16).padStart(12, "0")}`;
}
