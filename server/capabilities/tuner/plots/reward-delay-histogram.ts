import { formatNumber } from "./format-number.ts";
import { NEUTRAL, PALETTE } from "./palette.ts";
import { type Picture, toEmptyPicture } from "./picture.ts";
import { DELAY_SLICES, type RewardDelays } from "./reward-delays.ts";

export interface RewardDelayData {
  readonly experiment: string;
  /** Seconds. */
  readonly deadline: number;
  readonly delays: RewardDelays;
  /** Conversations that wait for a reward now, by sixteenths of the deadline since they began. */
  readonly waiting: readonly number[];
  /** Whose reward was given up. */
  readonly expired: number;
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "days"],
  [3600, "hours"],
  [60, "minutes"],
  [1, "seconds"],
];
const KINDS = ["came in time", "came late", "still waited for"];

/** Draws the delays of rewards, and the ages of those still awaited. */
export function drawRewardDelayHistogram(data: RewardDelayData): Picture {
  const { experiment, deadline, delays, waiting, expired } = data;
  const title = `${experiment}: how long rewards take`;
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const [arrived, waited] = [sum(delays.arrived), sum(waiting)];
  if (arrived + waited + delays.late + expired === 0) return toEmptyPicture(title, "no reward was waited for");
  // In units of which the deadline has at least two, so that ticks are readable.
  const [seconds, unit] = UNITS.find(([size]) => deadline >= 2 * size) ?? [1, "seconds"];
  const whole = deadline / seconds;
  const width = whole / DELAY_SLICES;
  const toRows = (kind: string, counts: readonly number[], offset = 0) =>
    counts.flatMap((count, slice) =>
      count === 0 ? [] : [{ kind, count, from: (slice + offset) * width, to: (slice + offset + 1) * width }],
    );
  const rows = [
    ...toRows("came in time", delays.arrived),
    ...toRows("came late", [delays.late], DELAY_SLICES),
    ...toRows("still waited for", waiting),
  ];
  const x = {
    type: "quantitative",
    title: `${unit} since the conversation began`,
    scale: { domain: [0, whole + width], nice: false },
  };
  return {
    title,
    notes: [`Dashed line: the deadline; all that came later are in the last bar. Given up so far: ${expired}.`],
    description: `${arrived} rewards came in time, ${delays.late} came late, ${waited} are waited for, ${expired} were given up. The deadline is ${formatNumber(whole)} ${unit}.`,
    spec: {
      width: 500,
      height: 240,
      layer: [
        {
          data: { values: rows },
          mark: { type: "bar", opacity: 0.9 },
          encoding: {
            x: { ...x, field: "from", bin: { binned: true } },
            x2: { field: "to" },
            y: { field: "count", type: "quantitative", title: "rewards", stack: "zero", axis: { tickMinStep: 1 } },
            color: {
              field: "kind",
              type: "nominal",
              title: null,
              sort: null,
              scale: { domain: KINDS, range: [PALETTE[0], PALETTE[1], NEUTRAL] },
              legend: { symbolType: "square" },
            },
          },
        },
        {
          data: { values: [{ deadline: whole }] },
          mark: { type: "rule", strokeDash: [4, 3] },
          encoding: { x: { ...x, field: "deadline" } },
        },
      ],
    },
  };
}
