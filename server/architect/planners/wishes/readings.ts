import type { ChangePlan, Plan, Reading, RejectPlan, TunePlan } from "../plan.ts";

const TITLE = 100;
const LETTERS = ["a", "b", "c"] as const;
/** Most readings that a message is answered with. */
export const MOST_READINGS = LETTERS.length;
/** Least probability of a reading that is offered. */
const OFFERED = 0.04;

/** What is offered to choose from: plans that are not much less likely than the first. */
export function toReadings(
  tried: readonly { readonly plan: ChangePlan | TunePlan | undefined; readonly share: number }[],
  most: number,
): readonly Reading[] {
  const readings: Reading[] = [];
  for (const { plan, share } of tried) {
    if (readings.length === most) break;
    if (plan === undefined || share < OFFERED) continue;
    const reading = toReading(LETTERS[readings.length] ?? "c", plan);
    if (!readings.some(({ title }) => title === reading.title)) readings.push(reading);
  }
  return readings;
}

/** The plan of the reading that the sender has chosen, by what it says: others may be offered by now, or in another order. */
export function choose(planned: Plan | undefined, title: string): Plan | undefined {
  if (planned !== undefined && planned.kind !== "reject") {
    if (toReading("a", planned).title === title) return planned;
  }
  const readings = planned?.kind === "reject" ? (planned.readings ?? []) : [];
  const chosen = readings.find((reading) => reading.title === title);
  if (chosen === undefined)
    return {
      kind: "reject",
      reason: `What was offered cannot be done any more as it was: ${title}`,
      accepted: "Send the message again.",
      readings,
    };
  if (chosen.adjustments !== undefined) return { kind: "tune", adjustments: chosen.adjustments };
  const { changes = [title], bump, files = {} } = chosen;
  return {
    kind: "change",
    title: toTitle(title),
    changes,
    files: new Map(Object.entries(files)),
    ...(bump === undefined ? {} : { bump }),
  };
}

function toTitle(text: string): string {
  const line = text.replaceAll("`", "").replaceAll(/\s+/g, " ");
  return line.length <= TITLE ? line : `${line.slice(0, TITLE - 1)}…`.toWellFormed();
}

function toReading(id: Reading["id"], plan: ChangePlan | TunePlan): Reading {
  if (plan.kind === "change") {
    const { changes, bump, files } = plan;
    return {
      id,
      title: changes.join(" "),
      changes,
      files: Object.fromEntries(files),
      ...(bump === undefined ? {} : { bump }),
    };
  }
  const title = plan.adjustments
    .map((one) =>
      "experiment" in one ? `${one.kind} ${one.experiment}${"arm" in one ? ` (${one.arm ?? ""})` : ""}` : one.kind,
    )
    .join(", ");
  return { id, title: `Tunes: ${title}.`, adjustments: plan.adjustments };
}

/** A question where there is a reading, and the explanation otherwise. */
export function toAnswer(
  readings: readonly Reading[],
  explained: RejectPlan | undefined,
  why?: string,
): Plan | undefined {
  return readings.length > 0 ? toQuestion(readings, why) : explained;
}

function toQuestion(
  readings: readonly Reading[],
  why = "It is not clear enough what is meant, so nothing was done.",
): Plan {
  const offered = readings.map(({ id, title }) => `(${id}) ${title}`).join(" ");
  return {
    kind: "reject",
    reason: why,
    accepted: `Did you mean ${offered}`,
    readings,
  };
}
