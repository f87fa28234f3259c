import type { Verdict } from "../stopping/stop-rule.ts";
import { formatNumber } from "./format-number.ts";
import { NEUTRAL, PALETTE } from "./palette.ts";
import { type Picture, toEmptyPicture } from "./picture.ts";
import { toLabel, toLabels } from "./to-labels.ts";

export interface StopRuleData {
  readonly experiment: string;
  readonly arms: readonly string[];
  readonly verdict: Pick<Verdict, "leader" | "reason" | "ratios" | "threshold">;
}

const REASONS: Readonly<Record<Verdict["reason"], string>> = {
  winner: "all are past the threshold: it is the winner",
  max_samples: "every arm has had its samples",
  too_few_samples: "some arm has too few samples",
  undecided: "not all are past the threshold",
};
/** Bars end at this many thresholds; beyond, how much is of no interest. */
const CUT = 2;
/** Rivals shown: those that come closest to the leader. */
const RIVAL_LIMIT = 24;

/** Draws the evidence that the leader is better than each other arm, against the threshold. */
export function drawStopRuleGauge({ experiment, arms, verdict }: StopRuleData): Picture {
  const title = `${experiment}: evidence for the leader`;
  const { leader, reason, ratios, threshold } = verdict;
  const labels = toLabels(arms);
  if (threshold === null) return toEmptyPicture(title, "no reward has come");
  const rivals = labels
    .map((label, place) => ({ label, ratio: ratios[place] ?? null, isLeader: arms[place] === leader }))
    .filter(({ isLeader }) => !isLeader)
    .toSorted((a, b) => (a.ratio ?? 0) - (b.ratio ?? 0));
  const rows = rivals.slice(0, RIVAL_LIMIT).map(({ label, ratio }) => ({
    arm: label,
    ratio: Math.min(ratio ?? 0, CUT * threshold),
    text: ratio === null ? "no reward" : formatNumber(ratio),
    past: (ratio ?? 0) > threshold ? "past the threshold" : "short of it",
  }));
  const hidden = rivals.length - rows.length;
  const x = {
    type: "quantitative",
    title: "generalised likelihood ratio",
    scale: { domain: [0, CUT * 1.1 * threshold], nice: false },
  };
  const y = { field: "arm", type: "nominal", sort: null, title: null };
  return {
    title,
    notes: [
      `${toLabel(leader)} leads; ${REASONS[reason]}. Dashed line: the threshold, ${formatNumber(threshold)}.`,
      ...(hidden === 0 ? [] : [`The ${RIVAL_LIMIT} of ${rivals.length} that come closest.`]),
    ],
    description: rows.map(({ arm, text }) => `Against ${arm}: ${text}.`).join(" "),
    spec: {
      width: 460,
      height: { step: 22 },
      layer: [
        {
          data: { values: rows },
          mark: { type: "bar", height: 14 },
          encoding: {
            x: { ...x, field: "ratio" },
            y,
            color: {
              field: "past",
              type: "nominal",
              title: null,
              scale: { domain: ["past the threshold", "short of it"], range: [PALETTE[2], NEUTRAL] },
              legend: { symbolType: "square" },
            },
          },
        },
        {
          data: { values: rows },
          mark: { type: "text", align: "left", dx: 5 },
          encoding: { x: { ...x, field: "ratio" }, y, text: { field: "text", type: "nominal" } },
        },
        {
          data: { values: [{ threshold }] },
          mark: { type: "rule", strokeDash: [4, 3], strokeWidth: 1.5 },
          encoding: { x: { ...x, field: "threshold" } },
        },
      ],
    },
  };
}
