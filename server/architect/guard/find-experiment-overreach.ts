import { memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Overreach } from "./overreach.ts";

/** Finds changes that remove an experiment's safeguards: its guardrail, and promotion by a person. */
export function findExperimentOverreach(name: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  if (before === undefined || after === undefined) return [];
  const [old, young] = [before["experiment"], after["experiment"]];
  const find = (message: string, sentence: string, ...words: readonly (readonly string[])[]): Overreach => ({
    rule: "experiment",
    path,
    message,
    ask: { sentence, words: [[name], ...words] },
  });
  const guardrails = ["maxErrorRate", "maxDrop"].flatMap((key) => {
    const was = memberOf(memberOf(old, "guardrail"), key);
    const is = memberOf(memberOf(young, "guardrail"), key);
    if (typeof was !== "number" || (typeof is === "number" && is <= was)) return [];
    const value = typeof is === "number" ? String(is) : undefined;
    return [
      find(
        `The guardrail \`${key}\` of the experiment \`${name}\` would be ${value ?? "gone"}, and is ${was}.`,
        value === undefined
          ? `Remove the guardrail \`${key}\` of \`${name}\`.`
          : `Raise the guardrail \`${key}\` of \`${name}\` to ${value}.`,
        ["guardrail"],
        [key],
        value === undefined ? ["remove", "delete", "drop"] : [value],
      ),
    ];
  });
  return promotes(young) && !promotes(old)
    ? [
        ...guardrails,
        find(
          `What wins the experiment \`${name}\` would become active by itself.`,
          `Have the experiment \`${name}\` promote by itself.`,
          ["promote"],
          ["itself"],
        ),
      ]
    : guardrails;
}

/** A stop rule promotes unless it says otherwise. */
function promotes(experiment: unknown): boolean {
  const stop = memberOf(experiment, "stop");
  return stop !== undefined && memberOf(stop, "promote") !== false;
}
