import { readEgressMap } from "../config.ts";
import { openTrial } from "../contracts/open-trial.ts";
import { type ExampleOutcome, type ExampleRun, runExamples } from "../contracts/run-examples.ts";
import { CairnError } from "../errors.ts";
import type { ReadText } from "../contracts/locate-examples.ts";
import type { Version } from "../versions/version.ts";

export const EGRESS_MAP_OPTION = {
  "egress-map": {
    type: "string",
    valueHint: "host=URL,...",
    description: "What is asked in place of hosts, such as a stand-in or a recording; no other host is asked",
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

/** Runs a version's examples over a store and a sandbox of their own. */
export async function testVersion(
  version: Version,
  readText: ReadText,
  egressMap: ReadonlyMap<string, string>,
  onTool: (tool: string, outcomes: readonly ExampleOutcome[]) => void,
): Promise<ExampleRun> {
  const trial = await openTrial({ egressMap, now: Date.now });
  try {
    return await runExamples(version, readText, trial, onTool);
  } finally {
    await trial.close();
  }
}
