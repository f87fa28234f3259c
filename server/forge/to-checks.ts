import type { ChangeStatus, CheckRun } from "./forge.ts";

/** Sums up the runs for one commit. A check that is not there is not green, and several runs of one name must all be. */
export function toChecks(required: readonly string[], runs: readonly CheckRun[]): ChangeStatus["checks"] {
  const ofEach = required.map((name) => runs.filter((run) => run.name === name).map(({ status }) => status));
  if (ofEach.every((statuses) => statuses.length === 0)) return "none";
  if (ofEach.some((statuses) => statuses.includes("failure"))) return "red";
  const isGreen = ofEach.every((statuses) => statuses.length > 0 && !statuses.includes("pending"));
  return isGreen ? "green" : "pending";
}

/** Explains why a change does not land: which checks it needs, and how each has come out. */
export function explainChecks(required: readonly string[], runs: readonly CheckRun[]): string {
  const said = runs.map(({ name, status }) => `${name} ${status}`).join(", ") || "none has been reported";
  return `Of the checks ${required.join(", ")}, not all are green: ${said}.`;
}

/** Explains what a change waits for that lands by itself. */
export function explainWait(required: readonly string[]): string {
  return `It lands once its checks are green: ${required.join(", ")}.`;
}
