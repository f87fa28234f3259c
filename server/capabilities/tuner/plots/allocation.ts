import type { ArmMoment } from "./arm-history.ts";
import { toLeadingArms, toSeriesChannels } from "./leading-arms.ts";
import { type Picture, toEmptyPicture } from "./picture.ts";
import { formatNumber } from "./format-number.ts";
import { toLabels } from "./to-labels.ts";

export interface AllocationData {
  readonly experiment: string;
  readonly arms: readonly string[];
  readonly baseline: string | undefined;
  /** Oldest first. */
  readonly moments: readonly Pick<ArmMoment, "assigned" | "arms">[];
}

/** Stretches of time that shares are counted in. */
const STRETCHES = 40;

/** Draws the share of conversations of each arm over time. */
export function drawAllocation({ experiment, arms, baseline, moments }: AllocationData): Picture {
  const title = `${experiment}: conversations given to each arm`;
  const last = moments.at(-1);
  if (last === undefined || last.assigned === 0) return toEmptyPicture(title, "no conversation was given an arm");
  const { shown, hidden, notes } = toLeadingArms(arms, baseline, { rewarded: 0, ...last });
  const labels = shown.map(({ label }) => label);
  const other = hidden === 0 ? undefined : toFreeLabel(labels);
  const rows = toStretches(moments).flatMap(({ from, to }) => {
    const given = (place: number) => (to.arms[place]?.assigned ?? 0) - (from?.arms[place]?.assigned ?? 0);
    const total = to.assigned - (from?.assigned ?? 0);
    const parts = shown.map(({ place, label }) => ({ series: label, share: given(place) / total }));
    const rest = 1 - parts.reduce((sum, { share }) => sum + share, 0);
    const all = other === undefined ? parts : [...parts, { series: other, share: Math.max(0, rest) }];
    const row = (x: number) => all.map((part, order) => ({ x, order, ...part }));
    return from === undefined ? [...row(0), ...row(to.assigned)] : row(to.assigned);
  });
  return {
    title,
    notes,
    description: shown
      .map(({ place, label }) => {
        const { assigned = 0 } = last.arms[place] ?? {};
        return `${label}: ${assigned} conversations, ${formatNumber((100 * assigned) / last.assigned)} %.`;
      })
      .join(" "),
    spec: {
      width: 500,
      height: 260,
      data: { values: rows },
      mark: { type: "area", interpolate: "step-before", opacity: 0.85, strokeWidth: 0 },
      encoding: {
        x: {
          field: "x",
          type: "quantitative",
          title: "conversations",
          scale: { nice: false },
          axis: { tickMinStep: 1 },
        },
        y: {
          field: "share",
          type: "quantitative",
          stack: "zero",
          title: "share of conversations",
          axis: { format: ".0%" },
          scale: { domain: [0, 1] },
        },
        order: { field: "order", type: "quantitative" },
        ...toSeriesChannels(labels, { lines: false, ...(other === undefined ? {} : { other }) }),
      },
    },
  };
}

interface Stretch {
  /** Undefined at the beginning of everything. */
  readonly from: AllocationData["moments"][number] | undefined;
  readonly to: AllocationData["moments"][number];
}

/** Stretches of about as many conversations each, none without any. */
function toStretches(moments: AllocationData["moments"]): Stretch[] {
  const total = moments.at(-1)?.assigned ?? 0;
  const stretches: Stretch[] = [];
  for (const to of moments) {
    const from = stretches.at(-1)?.to;
    const since = to.assigned - (from?.assigned ?? 0);
    if (since > 0 && (since >= total / STRETCHES || to === moments.at(-1))) stretches.push({ from, to });
  }
  return stretches;
}

/** Makes a label for the rest that no arm has. */
function toFreeLabel(labels: readonly string[]): string {
  return toLabels([...labels, "others"]).at(-1) ?? "";
}
