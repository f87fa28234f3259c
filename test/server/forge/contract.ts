import { describe } from "vitest";
import type { OpenForge } from "./contract/bench.ts";
import { describeEnds, describeTags } from "./contract/ends.ts";
import { describeFiles } from "./contract/files.ts";
import { describeLanding, describeMovedBase } from "./contract/landing.ts";
import { describeChecks, describeProposing } from "./contract/proposing.ts";
import { describeRevising } from "./contract/revising.ts";

/** What every forge keeps. */
export function describeForge(name: string, open: OpenForge): void {
  describe(`the forge ${name}`, () => {
    describeProposing(open);
    describeRevising(open);
    describeFiles(open);
    describeChecks(open);
    describeLanding(open);
    describeMovedBase(open);
    describeEnds(open);
    describeTags(open);
  });
}
