import type { ChangeStatus, CheckRun } from "./forge.ts";

/** Sums up the runs for one commit. A check that is not there is not green, and several runs of one name must all be. */
export function toChecks(required: readonly string[], runs: readonly CheckRun[]): ChangeStatus["checks"] {
  const ofEach = required.map((name) => runs.filter((run) => run.name === name).map(({ status }) => status));
  if (ofEach.every((statuses) => statuses.length === 0)) return "none";
  if (ofEach.some((statuses) => statuses.includes("failure"))) return "red";
  const isGreen = ofEach.every((statuses) => statuses.length > 0 && !statuses.includes("pending"));
  return isGreen ? "green" : "pending";
}
