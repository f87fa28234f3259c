import { isBandit } from "../state/learn.ts";
import { judge } from "../state/check-stop.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import type { Fit } from "../state/values.ts";
import { drawAllocation } from "./allocation.ts";
import { type ArmMoment, DEFAULT_ALPHA, hasPropensities, toArmMoment } from "./arm-history.ts";
import { drawArmMeans } from "./arm-means.ts";
import type { Collected } from "./collect-series.ts";
import { drawCumulativeReward } from "./cumulative-reward.ts";
import type { Picture } from "./picture.ts";
import { drawPreferenceStrengths, type Strength } from "./preference-strengths.ts";
import { drawPropensities } from "./propensities.ts";
import { drawRewardDelayHistogram } from "./reward-delay-histogram.ts";
import { DELAY_SLICES, sliceOf } from "./reward-delays.ts";
import { type SearchMoment, toSearchMoment } from "./search-history.ts";
import { drawSearchProgress } from "./search-progress.ts";
import { drawStopRuleGauge } from "./stop-rule-gauge.ts";
import { drawWinProbabilities } from "./win-probabilities.ts";

/** One kind of picture of an experiment. */
export interface Plot {
  /** Follows the experiment's name in the address. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly suits: (set: TunedSet) => boolean;
  readonly draw: (set: TunedSet, collected: Collected) => Picture;
}

const hasArms = ({ experiment }: TunedSet) => isBandit(experiment.strategy);
const hasPreferences = ({ experiment }: TunedSet) => experiment.strategy.kind === "preference";

export const PLOTS: readonly Plot[] = [
  {
    name: "arm-means",
    title: "Mean rewards",
    description: "The mean reward of each arm as rewards come in, with a band that holds the true mean at all times.",
    suits: hasArms,
    draw: (set, collected) => {
      const { reward, stop } = set.experiment;
      return drawArmMeans({ ...toRun(set, collected), reward, alpha: stop?.delta ?? DEFAULT_ALPHA });
    },
  },
  {
    name: "allocation",
    title: "Allocation",
    description: "Which part of the conversations each arm is given, over time.",
    suits: hasArms,
    draw: (set, collected) => drawAllocation(toRun(set, collected)),
  },
  {
    name: "cumulative-reward",
    title: "Cumulative reward",
    description: "What was earned next to what the baseline would have, with the gain over it and the regret.",
    suits: hasArms,
    draw: (set, collected) => drawCumulativeReward(toRun(set, collected)),
  },
  {
    name: "propensities",
    title: "Propensities",
    description: "With what probability each arm is given, and the effective sample size of what is known of it.",
    suits: (set) => hasArms(set) && hasPropensities(set),
    draw: (set, collected) => drawPropensities(toRun(set, collected)),
  },
  {
    name: "stop-rule",
    title: "Stop rule",
    description:
      "The evidence that the leading arm is better than each other one, next to what the stop rule asks for.",
    suits: (set) => hasArms(set) && set.experiment.stop !== undefined,
    draw: (set, { state }) => {
      const verdict = judge(set, state);
      if (verdict === undefined) throw new TypeError(`\`${set.name}\` has no stop rule.`);
      return drawStopRuleGauge({ experiment: set.name, arms: armsOf(set), verdict });
    },
  },
  {
    name: "search-progress",
    title: "Progress of the search",
    description: "Rewards and step size, the middle and spread of each parameter, and the axes of what is tried.",
    suits: ({ experiment }) => experiment.strategy.kind === "cma_es",
    draw: (set, { state, search }) =>
      drawSearchProgress({
        experiment: set.name,
        parameters: set.numbers.map(({ name }) => name),
        reward: set.experiment.reward,
        moments: withLast(search?.series.points ?? [], toSearchMoment(state), sameSearch),
        restarts: search?.restarts ?? [],
      }),
  },
  {
    name: "reward-delays",
    title: "How long rewards take",
    description: "How long after their conversations rewards came, and how long the missing ones are waited for.",
    suits: (set) => !hasPreferences(set),
    draw: ({ name, experiment }, { state, delays }) =>
      drawRewardDelayHistogram({
        experiment: name,
        deadline: experiment.reward.deadline,
        delays,
        waiting: toWaiting(state, experiment.reward.deadline),
        expired: state.counts.expired,
      }),
  },
  {
    name: "strengths",
    title: "Strengths",
    description: "What was fitted to the preferences, in order, with 95 % intervals.",
    suits: hasPreferences,
    draw: (set, { state }) => {
      const fit = state.learner.kind === "preference" ? state.learner.fit : null;
      const model = set.experiment.strategy.kind === "preference" ? set.experiment.strategy.model : "items";
      return drawPreferenceStrengths({
        experiment: set.name,
        model,
        pairs: fit?.count ?? 0,
        estimates: toStrengths(fit),
      });
    },
  },
  {
    name: "win-probabilities",
    title: "Win probabilities",
    description: "How likely each item is to be preferred to each other one.",
    suits: ({ experiment: { strategy } }) => strategy.kind === "preference" && strategy.model === "items",
    draw: (set, { state }) => {
      const fit = state.learner.kind === "preference" ? state.learner.fit : null;
      return drawWinProbabilities({ experiment: set.name, estimates: toStrengths(fit) });
    },
  },
];

/** The pictures that an experiment has. */
export function listPlots(set: TunedSet): readonly Plot[] {
  return PLOTS.filter(({ suits }) => suits(set));
}

function toRun(set: TunedSet, { state, arms }: Collected) {
  const now = arms === null ? undefined : toArmMoment(set, arms, state);
  const { baseline } = set.experiment;
  return {
    experiment: set.name,
    arms: armsOf(set),
    baseline,
    moments: withLast(arms?.series.points ?? [], now, sameArms),
  };
}

function armsOf({ experiment }: TunedSet): string[] {
  return experiment.arms.map(({ name }) => name);
}

/** The moments that were kept, and now. */
function withLast<Moment>(
  kept: readonly Moment[],
  now: Moment | undefined,
  same: (a: Moment, b: Moment) => boolean,
): readonly Moment[] {
  const last = kept.at(-1);
  return now === undefined || (last !== undefined && same(last, now)) ? kept : [...kept, now];
}

function sameArms(one: ArmMoment, other: ArmMoment): boolean {
  return one.assigned === other.assigned && one.rewarded === other.rewarded;
}

function sameSearch(one: SearchMoment, other: SearchMoment): boolean {
  return one.evaluations === other.evaluations;
}

/** Conversations that wait, by sixteenths of the deadline, in seconds, since they began. */
function toWaiting({ waiting, clock }: Collected["state"], deadline: number): number[] {
  const counts = Array.from({ length: DELAY_SLICES }, () => 0);
  for (const { from, pulls } of waiting) {
    const slice = sliceOf((clock - from) / (deadline * 1000));
    counts[slice] = Object.values(pulls).reduce((sum, count) => sum + count, counts[slice] ?? 0);
  }
  return counts;
}

function toStrengths(fit: Fit | null): Strength[] {
  return Object.entries(fit?.estimates ?? {}).map(([name, estimate]) => ({ name, ...estimate }));
}
