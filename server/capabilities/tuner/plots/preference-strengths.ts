import { formatNumber } from "./format-number.ts";
import { PALETTE } from "./palette.ts";
import { type Picture, toEmptyPicture } from "./picture.ts";
import { toLabels } from "./to-labels.ts";

export interface StrengthData {
  readonly experiment: string;
  /** Meaning of the numbers: strengths of items, or weights of features. */
  readonly model: "items" | "features";
  /** Pairs that were compared. */
  readonly pairs: number;
  readonly estimates: readonly Strength[];
}

export interface Strength {
  readonly name: string;
  /** Log odds. */
  readonly value: number;
  /** Null where it is unknown. */
  readonly standardError: number | null;
}

/** Names shown: half of them from each end. */
const NAME_LIMIT = 40;
/** The normal quantile of a 95 % interval. */
const QUANTILE = 1.96;

/** A caterpillar plot: estimates in order, each with its interval. */
export function drawPreferenceStrengths({ experiment, model, pairs, estimates }: StrengthData): Picture {
  const noun = model === "items" ? "strengths" : "weights of features";
  const title = `${experiment}: ${noun}`;
  if (estimates.length === 0) return toEmptyPicture(title, "no preferences were fitted");
  const labels = toLabels(estimates.map(({ name }) => name));
  const sorted = estimates
    .map((estimate, place) => ({ ...estimate, label: labels[place] ?? "" }))
    .toSorted((a, b) => b.value - a.value);
  const half = NAME_LIMIT / 2;
  const shown = sorted.length <= NAME_LIMIT ? sorted : [...sorted.slice(0, half), ...sorted.slice(-half)];
  const rows = shown.map(({ label, value, standardError }) => {
    const reach = QUANTILE * (standardError ?? 0);
    return { label, value, low: value - reach, high: value + reach };
  });
  const x = { type: "quantitative", title: model === "items" ? "strength (log odds)" : "weight (log odds per unit)" };
  const y = { field: "label", type: "nominal", sort: null, title: null, axis: { grid: true } };
  return {
    title,
    notes: [
      `From ${pairs} ${pairs === 1 ? "pair" : "pairs"}; bars are 95 % intervals.`,
      ...(shown.length === sorted.length ? [] : [`The ${half} highest and the ${half} lowest of ${sorted.length}.`]),
    ],
    description: rows
      .map(
        ({ label, value, low, high }) =>
          `${label}: ${formatNumber(value)} (${formatNumber(low)} to ${formatNumber(high)}).`,
      )
      .join(" "),
    spec: {
      width: 400,
      height: { step: 20 },
      layer: [
        {
          data: { values: [{ zero: 0 }] },
          mark: { type: "rule", strokeDash: [4, 3], opacity: 0.6 },
          encoding: { x: { ...x, field: "zero" } },
        },
        {
          data: { values: rows },
          mark: { type: "rule", strokeWidth: 2, color: PALETTE[0] },
          encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y },
        },
        {
          data: { values: rows },
          mark: { type: "point", filled: true, size: 60, opacity: 1, color: PALETTE[0] },
          encoding: { x: { ...x, field: "value" }, y },
        },
      ],
    },
  };
}
