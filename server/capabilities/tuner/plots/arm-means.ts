import { type RewardUnit, unscaleReward } from "../bandits/scale-reward.ts";
import type { ArmMoment } from "./arm-history.ts";
import { toLeadingArms, toSeriesChannels } from "./leading-arms.ts";
import { type Picture, toEmptyPicture } from "./picture.ts";
import { formatNumber } from "./format-number.ts";

export interface ArmMeansData {
  readonly experiment: string;
  readonly arms: readonly string[];
  readonly baseline: string | undefined;
  readonly reward: RewardUnit;
  /** The chance that an arm's band ever misses its mean. */
  readonly alpha: number;
  /** Oldest first. */
  readonly moments: readonly ArmMoment[];
}

/** Moments before this share of all rewards do not decide how far the axis goes: their bands hold nearly everything. */
const SETTLED = 0.2;

/** Draws each arm's mean reward, with a band that holds the true mean at all times at once. */
export function drawArmMeans({ experiment, arms, baseline, reward, alpha, moments }: ArmMeansData): Picture {
  const title = `${experiment}: mean reward of each arm`;
  const last = moments.at(-1);
  if (last === undefined || last.rewarded === 0) return toEmptyPicture(title, "no reward has come");
  const { shown, notes } = toLeadingArms(arms, baseline, last);
  const rows = moments.flatMap(({ rewarded, arms: figures }) =>
    shown.flatMap(({ place, label }) => {
      const { rewards = 0, sum = 0, low = 0, high = 1 } = figures[place] ?? {};
      if (rewards === 0) return [];
      const [mean, one, other] = [sum / rewards, low, high].map((value) => unscaleReward(reward, value));
      return [{ x: rewarded, series: label, mean, low: one, high: other }];
    }),
  );
  const settled = rows.filter(({ x }) => x >= SETTLED * last.rewarded);
  const ends = settled.flatMap(({ mean = 0, low = 0, high = 0 }) => [mean, low, high]);
  const x = {
    field: "x",
    type: "quantitative",
    title: "rewards received",
    scale: { nice: false },
    axis: { tickMinStep: 1 },
  };
  const scale = { domain: [Math.min(...ends), Math.max(...ends)], nice: true, zero: false };
  const y = { type: "quantitative", title: "mean reward", scale };
  const channels = toSeriesChannels(
    shown.map(({ label }) => label),
    { lines: true },
  );
  return {
    title,
    notes: [
      `Bands hold the true means at all times at once, but for a chance of ${formatNumber(alpha)} each.`,
      ...notes,
    ],
    description: shown.map(({ place, label }) => describe(label, last.arms[place], reward)).join(" "),
    spec: {
      width: 500,
      height: 280,
      data: { values: rows },
      encoding: { x, ...channels },
      layer: [
        {
          mark: { type: "area", clip: true, opacity: Math.min(0.16, 0.5 / shown.length), strokeWidth: 0 },
          encoding: { y: { ...y, field: "low" }, y2: { field: "high" }, strokeDash: { value: [1, 0] } },
        },
        { mark: { type: "line", clip: true }, encoding: { y: { ...y, field: "mean" } } },
        {
          mark: { type: "point", clip: true, filled: true, size: 30, opacity: 1 },
          transform: [{ filter: { field: "x", equal: last.rewarded } }],
          encoding: { y: { ...y, field: "mean" }, strokeDash: { value: [1, 0] } },
        },
      ],
    },
  };
}

function describe(label: string, figures: ArmMoment["arms"][number] | undefined, reward: RewardUnit): string {
  if (figures === undefined || figures.rewards === 0) return `${label}: no reward yet.`;
  const { rewards, sum, low, high } = figures;
  const [mean = 0, one = 0, other = 0] = [sum / rewards, low, high].map((value) => unscaleReward(reward, value));
  const [from, to] = [Math.min(one, other), Math.max(one, other)].map(formatNumber);
  return `${label}: mean ${formatNumber(mean)} (${from} to ${to}) of ${rewards} rewards.`;
}
