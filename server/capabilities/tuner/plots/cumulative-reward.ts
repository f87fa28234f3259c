import type { ArmMoment } from "./arm-history.ts";
import { formatNumber } from "./format-number.ts";
import { NEUTRAL, PALETTE } from "./palette.ts";
import { type Picture, type Spec, toEmptyPicture } from "./picture.ts";
import { toLabel } from "./to-labels.ts";

export interface CumulativeRewardData {
  readonly experiment: string;
  readonly arms: readonly string[];
  readonly baseline: string | undefined;
  /** Oldest first. */
  readonly moments: readonly ArmMoment[];
}

/** Draws the reward earned, that of the baseline alone, and that of the best arm alone. */
export function drawCumulativeReward({ experiment, arms, baseline, moments }: CumulativeRewardData): Picture {
  const title = `${experiment}: cumulative reward`;
  const last = moments.at(-1);
  if (last === undefined || last.rewarded === 0) return toEmptyPicture(title, "no reward has come");
  const means = last.arms.map(({ sum, rewards }) => (rewards === 0 ? null : sum / rewards));
  const best = Math.max(...means.filter((mean) => mean !== null));
  const base = baseline === undefined ? null : (means[arms.indexOf(baseline)] ?? null);
  const basis = `baseline (${toLabel(baseline ?? "")})`;
  const earned = (moment: ArmMoment) => moment.arms.reduce((sum, arm) => sum + arm.sum, 0);
  /** Reward that one arm's present mean would have earned, less the one of the arms' present means. */
  const lead = (mean: number, { arms: figures }: ArmMoment) =>
    figures.reduce((sum, { rewards }, place) => sum + rewards * (mean - (means[place] ?? mean)), 0);
  const totals = moments.flatMap((moment) => [
    { x: moment.rewarded, series: "earned", value: earned(moment) },
    ...(base === null ? [] : [{ x: moment.rewarded, series: basis, value: base * moment.rewarded }]),
  ]);
  const differences = moments.flatMap((moment) => [
    ...(base === null ? [] : [{ x: moment.rewarded, series: "gain over the baseline", value: 0 - lead(base, moment) }]),
    { x: moment.rewarded, series: "regret against the best arm", value: lead(best, moment) },
  ]);
  const gain = base === null ? "" : ` Gain over the baseline: ${formatNumber(0 - lead(base, last))}.`;
  return {
    title,
    notes: ["Rewards from 0 to 1, the best; gain and regret by the arms' present means."],
    description: `${formatNumber(earned(last))} earned by ${last.rewarded} rewards.${gain} Regret against the best arm: ${formatNumber(lead(best, last))}.`,
    spec: {
      vconcat: [
        toPanel(totals, "cumulative reward", base === null ? ["earned"] : ["earned", basis], [PALETTE[0], NEUTRAL]),
        toPanel(
          differences,
          "difference",
          [...(base === null ? [] : ["gain over the baseline"]), "regret against the best arm"],
          base === null ? [PALETTE[1]] : [PALETTE[2], PALETTE[1]],
        ),
      ],
      resolve: { scale: { color: "independent", strokeDash: "independent" } },
    },
  };
}

function toPanel(
  values: readonly object[],
  title: string,
  domain: readonly string[],
  range: readonly (string | undefined)[],
): Spec {
  const series = { field: "series", type: "nominal", sort: null, title: null, legend: { labelLimit: 240, columns: 2 } };
  return {
    width: 490,
    height: 150,
    data: { values },
    mark: { type: "line" },
    encoding: {
      x: {
        field: "x",
        type: "quantitative",
        title: "rewards received",
        scale: { nice: false },
        axis: { tickMinStep: 1 },
      },
      y: { field: "value", type: "quantitative", title },
      color: { ...series, scale: { domain, range: range.slice(0, domain.length) } },
      strokeDash: {
        ...series,
        scale: {
          domain,
          range: [
            [1, 0],
            [6, 3],
          ].slice(0, domain.length),
        },
      },
    },
  };
}
