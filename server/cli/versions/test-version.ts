import { readEgressMap } from "../../config/egress-map.ts";
import { openTrial } from "../../examples/open-trial.ts";
import { type ExampleRun, type ExampleRunOptions, runExamples } from "../../examples/run-examples.ts";
import { CairnError } from "../../errors.ts";

export const EGRESS_MAP_OPTION = {
  "egress-map": {
    type: "string",
    valueHint: "host=URL,...",
    description: "What is asked in place of hosts of which no answer is recorded; no other host is asked",
  },
} as const;

export function toEgressMap(text: string | undefined): ReadonlyMap<string, string> {
  const pairs = (text ?? "").split(",").map((pair) => pair.trim());
  return readEgressMap(
    pairs.filter((pair) => pair !== ""),
    (expected) => {
      throw new CairnError("BAD_REQUEST", `\`--egress-map\`: ${expected}.`);
    },
  );
}

/** Runs examples of a version over a store and a sandbox of their own. */
export async function testVersion({
  egressMap,
  ...options
}: Omit<ExampleRunOptions, "trial"> & { readonly egressMap: ReadonlyMap<string, string> }): Promise<ExampleRun> {
  const trial = await openTrial({ egressMap, now: Date.now });
  try {
    return await runExamples({ ...options, trial });
  } finally {
    await trial.close();
  }
}
