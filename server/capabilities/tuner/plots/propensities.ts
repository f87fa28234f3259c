import type { ArmFigures, ArmMoment } from "./arm-history.ts";
import { formatNumber } from "./format-number.ts";
import { toLeadingArms, toSeriesChannels } from "./leading-arms.ts";
import { type Picture, type Spec, toEmptyPicture } from "./picture.ts";

export interface PropensityData {
  readonly experiment: string;
  readonly arms: readonly string[];
  readonly baseline: string | undefined;
  /** Oldest first. */
  readonly moments: readonly ArmMoment[];
}

/** With what probability arms were given, and how much the log is worth for judging each of them. */
export function drawPropensities({ experiment, arms, baseline, moments }: PropensityData): Picture {
  const title = `${experiment}: propensities and effective sample size`;
  const last = moments.at(-1);
  if (last === undefined || last.assigned === 0) return toEmptyPicture(title, "no conversation was given an arm");
  const { shown, notes } = toLeadingArms(arms, baseline, last);
  const channels = toSeriesChannels(
    shown.map(({ label }) => label),
    { lines: true },
  );
  const toPanel = (of: (figures: ArmFigures) => number, y: Spec, height: number): Spec => ({
    width: 490,
    height,
    data: {
      values: moments.flatMap(({ assigned, arms: figures }) =>
        shown.flatMap(({ place, label }) => {
          const found = figures[place];
          return found === undefined ? [] : [{ x: assigned, series: label, value: of(found) }];
        }),
      ),
    },
    mark: { type: "line", strokeWidth: 1.5 },
    encoding: {
      x: { field: "x", type: "quantitative", title: "conversations", scale: { nice: false }, axis: { tickMinStep: 1 } },
      y: { field: "value", type: "quantitative", ...y },
      ...channels,
    },
  });
  return {
    title,
    notes: ["Effective sample size: how many conversations with the arm alone the log is worth.", ...notes],
    description: shown
      .map(({ place, label }) => {
        const { propensity = 0, effective = 0, assigned = 0 } = last.arms[place] ?? {};
        return `${label}: propensity ${formatNumber(propensity)}, effective sample size ${formatNumber(effective)} of ${assigned}.`;
      })
      .join(" "),
    spec: {
      vconcat: [
        toPanel(({ propensity }) => propensity, { title: "propensity", scale: { domain: [0, 1] } }, 130),
        toPanel(({ effective }) => effective, { title: "effective sample size" }, 170),
      ],
    },
  };
}
