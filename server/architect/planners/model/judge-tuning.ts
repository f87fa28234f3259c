import type { Parameter, Version } from "../../../versions/version.ts";
import type { Adjustment, RejectPlan, TunePlan } from "../plan.ts";
import type { SubmittedAdjustment } from "./read-submission.ts";

/** Makes a plan of adjustments, if each is of an experiment of this version and of values that its manifest allows. */
export function judgeTuning(adjustments: readonly SubmittedAdjustment[], version: Version): TunePlan | RejectPlan {
  const faults = adjustments.flatMap((adjustment) => findFault(adjustment, version) ?? []);
  if (faults.length > 0) {
    const names = [...version.parameters.values()].flatMap(({ name, experiment }) =>
      experiment ? [`\`${name}\``] : [],
    );
    return {
      kind: "reject",
      reason: `The plan tunes what this version does not have. ${faults.join(" ")}`,
      accepted: `Experiments of this version are ${names.join(", ") || "none"}.`,
    };
  }
  return { kind: "tune", adjustments: adjustments.map(toAdjustment) };
}

function toAdjustment({ kind, experiment, arm, values }: SubmittedAdjustment): Adjustment {
  if (kind !== "promote") return { kind, experiment };
  return { kind, experiment, ...(arm === undefined ? {} : { arm }), ...(values === undefined ? {} : { values }) };
}

function findFault({ kind, experiment, arm, values }: SubmittedAdjustment, version: Version): string | undefined {
  const set = version.parameters.get(experiment);
  if (set?.experiment === undefined) return "It names an experiment that is not there.";
  if (kind !== "promote" && (arm !== undefined || values !== undefined)) {
    return `Only \`promote\` takes an arm or values, not the \`${kind}\` of \`${experiment}\`.`;
  }
  if (arm !== undefined && values !== undefined) return `\`${experiment}\` takes an arm or values, not both.`;
  if (arm !== undefined && !set.experiment.arms.some(({ name }) => name === arm)) {
    return `\`${experiment}\` has no such arm.`;
  }
  const wrong = Object.entries(values ?? {}).find(([name, value]) => !isAllowed(set.parameters.get(name), value));
  return wrong === undefined ? undefined : `\`${experiment}\` has no such parameter, or it cannot be this value.`;
}

function isAllowed(parameter: Parameter | undefined, value: string | number | boolean): boolean {
  if (parameter === undefined) return false;
  if (parameter.type === "categorical") return parameter.values.includes(value);
  if (typeof value !== "number" || value < parameter.min || value > parameter.max) return false;
  return parameter.type === "float" || Number.isInteger(value);
}
