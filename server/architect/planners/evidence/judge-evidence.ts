import { canonicalJson } from "../../../json/canonical-json.ts";
import type { ParameterSet } from "../../../versions/version.ts";
import type { TuningProposal } from "../planner.ts";

/** Judgement of some values by the rewards, results or comparisons of an experiment. */
export interface Judgement {
  readonly isEnough: boolean;
  /** The numbers, in whole sentences. */
  readonly told: string;
  /** Evidence that would be enough. */
  readonly missing: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
}

/** Least probability that an arm is the best, where no stop rule has decided. */
const LEAST_PROBABILITY = 0.95;
/** Rewards that each arm must have where the experiment does not say. */
const LEAST_REWARDS = 30;

/** Judges one arm, or what staging holds for best where none is named. */
export function judgeEvidence(set: ParameterSet, proposal: TuningProposal, arm: string | undefined): Judgement {
  const { staging } = proposal.evidence.state;
  if ("arms" in staging && staging.arms !== undefined) return judgeArm(set, proposal, arm ?? proposal.arm ?? "");
  if ("search" in staging && staging.search !== undefined) {
    const { evaluations, stopped } = staging.search;
    const told = `The search for \`${set.name}\` has tried ${evaluations} candidates and ${stopped === null ? "goes on" : "has ended"}.`;
    const missing =
      "A search is adopted once it has ended, by its limit of `evaluations` or because it finds nothing better.";
    return { isEnough: stopped !== null, told, missing, values: proposal.values };
  }
  return judgePreference(set, proposal, arm);
}

function judgeArm(set: ParameterSet, { evidence }: TuningProposal, name: string): Judgement {
  const { arms = [], state } = evidence;
  const { stop, guardrail } = state;
  const least = set.experiment?.stop?.minSamples ?? LEAST_REWARDS;
  const target = arms.find(({ arm }) => arm === name);
  const baseline =
    arms.find(({ arm }) => arm === set.experiment?.baseline && arm !== name) ?? arms.find(({ arm }) => arm !== name);
  const isWinner = stop.reason === "winner" && stop.leader === name;
  const isProbable =
    target !== undefined &&
    target.best >= LEAST_PROBABILITY &&
    [target, ...(baseline === undefined ? [] : [baseline])].every(({ rewards }) => rewards >= least);
  const isBarred = guardrail.barred.includes(name);
  const numbers = arms.map(({ arm, mean, rewards, best }) => {
    const share = `is the best with a probability of ${toShort(best)}`;
    return `\`${arm}\` has ${mean === null ? "no mean reward" : `a mean reward of ${toShort(mean)}`} over ${rewards} rewards and ${share}`;
  });
  const rule = stop.reason === undefined ? "" : ` The stop rule says \`${stop.reason}\`.`;
  const barred = isBarred ? ` The guardrail has taken \`${name}\` back: ${guardrail.breach ?? "it did harm"}.` : "";
  return {
    isEnough: (isWinner || isProbable) && !isBarred,
    told: `In \`${set.name}\`, ${numbers.join("; ")}.${rule}${barred}`,
    missing:
      `Enough would be that the stop rule names \`${name}\` the winner, or a probability of at least ${LEAST_PROBABILITY} with at least ` +
      `${least} rewards for it and for what it is measured against. Say "promote ${name} for ${set.name}" to promote it all the same.`,
    values: target?.values ?? {},
  };
}

function judgePreference(
  set: ParameterSet,
  { values, evidence }: TuningProposal,
  wanted: string | undefined,
): Judgement {
  const { staging } = evidence.state;
  const fit = "fit" in staging ? staging.fit : null;
  const isWanted = wanted === undefined || Object.values(values).some((value) => String(value) === wanted);
  const told = `${fit?.count ?? 0} comparisons of \`${set.name}\` prefer \`${canonicalJson(values)}\`, ${
    fit?.threshold === undefined || fit.threshold === null
      ? "and following them was not right often enough yet"
      : "and following them was right often enough"
  }.`;
  return {
    isEnough: isWanted && fit?.threshold !== undefined && fit.threshold !== null,
    told,
    missing:
      "Enough would be comparisons that prefer it, and a fit that is right as often as the experiment's `targetPrecision` asks.",
    values,
  };
}

function toShort(value: number): string {
  return String(Number(value.toPrecision(3)));
}
