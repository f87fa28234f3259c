import { setImmediate } from "node:timers/promises";
import type { Version } from "../versions/version.ts";
import type { Reading } from "./reading.ts";
import { compareStepwise, type Difference } from "./compare-versions.ts";

/** Milliseconds after which other work gets its turn, once the tool that is being compared is done. */
const TURN_MS = 5;

/** As `compareVersions`, for a process that answers others meanwhile. */
export async function compareInTurns(before: Version, after: Version, reading?: Reading): Promise<Difference> {
  const steps = compareStepwise(before, after, reading);
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}
