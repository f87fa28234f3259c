import { type RewardUnit, unscaleReward } from "../bandits/scale-reward.ts";
import { DASHES, NEUTRAL, PALETTE } from "./palette.ts";
import { formatNumber } from "./format-number.ts";
import { type Picture, type Spec, toEmptyPicture } from "./picture.ts";
import type { SearchMoment } from "./search-history.ts";
import { toLabels } from "./to-labels.ts";

export interface SearchProgressData {
  readonly experiment: string;
  readonly parameters: readonly string[];
  readonly reward: RewardUnit;
  /** Oldest first. */
  readonly moments: readonly SearchMoment[];
  /** Numbers of results after which a run began anew. */
  readonly restarts: readonly number[];
}

const AXIS_LIMIT = 8;
const PANEL = { width: 205, height: 170 };
const X = {
  field: "x",
  type: "quantitative",
  title: "results",
  scale: { nice: false },
  axis: { tickCount: 4, tickMinStep: 1 },
};

/** The four panels by which one sees how a CMA-ES run is doing, after those of Hansen's `pycma`. */
export function drawSearchProgress({ experiment, parameters, reward, moments, restarts }: SearchProgressData): Picture {
  const title = `${experiment}: progress of the search`;
  const last = moments.at(-1);
  if (last === undefined || moments.length < 2) return toEmptyPicture(title, "no generation is complete");
  const labels = toLabels(parameters).slice(0, PALETTE.length);
  const known = parameters.length - labels.length;
  const notes = [
    ...(restarts.length === 0 ? [] : ["Dotted lines: a new run began."]),
    ...(known === 0 ? [] : [`The first ${labels.length} of ${parameters.length} parameters.`]),
  ];
  const marks = toRestarts(restarts.filter((x) => x > (moments[0]?.evaluations ?? 0)));
  const found = moments.findLast(({ bestSoFar }) => bestSoFar !== null)?.bestSoFar ?? null;
  return {
    title,
    notes,
    description: `After ${last.evaluations} results: ${found === null ? "no best yet" : `best reward ${formatNumber(unscaleReward(reward, found))}`}, step size ${formatNumber(last.sigma)}, ${restarts.length} restarts. ${labels.map((label, place) => `${label}: middle at ${formatNumber(last.means[place] ?? 0)} of its range, standard deviation ${formatNumber(last.deviations[place] ?? 0)}.`).join(" ")}`,
    spec: {
      columns: 2,
      spacing: { row: 24, column: 24 },
      concat: [
        toRewardPanel(moments, reward, marks),
        toLinesPanel(moments, "means", labels, marks),
        toAxesPanel(moments, marks),
        toLinesPanel(moments, "deviations", labels, marks),
      ],
      resolve: { scale: { color: "independent", strokeDash: "independent" } },
    },
  };
}

/** Rewards on the left axis, the step size on the right. */
function toRewardPanel(moments: readonly SearchMoment[], reward: RewardUnit, marks: readonly Spec[]): Spec {
  const names = { best: "best", median: "median", bestSoFar: "best so far" } as const;
  const domain = [...Object.values(names), "step size σ"];
  const range = [PALETTE[0], NEUTRAL, PALETTE[2], PALETTE[1]];
  const series = { field: "series", type: "nominal", title: null, sort: null };
  const channels = {
    color: { ...series, scale: { domain, range }, legend: { columns: 2 } },
    strokeDash: {
      ...series,
      scale: {
        domain,
        range: [
          [1, 0],
          [2, 2],
          [6, 3],
          [1, 0],
        ],
      },
    },
  };
  const values = moments.flatMap((moment) =>
    (["best", "median", "bestSoFar"] as const).flatMap((key) => {
      const value = moment[key];
      return value === null ? [] : [{ x: moment.evaluations, series: names[key], value: unscaleReward(reward, value) }];
    }),
  );
  const sigmas = moments.map(({ evaluations, sigma }) => ({ x: evaluations, series: "step size σ", value: sigma }));
  const y = { field: "value", type: "quantitative" };
  return {
    ...PANEL,
    title: toPanelTitle("Reward and step size"),
    layer: [
      {
        layer: [
          ...marks,
          {
            data: { values },
            mark: "line",
            encoding: { x: X, y: { ...y, title: "reward", scale: { zero: false } }, ...channels },
          },
        ],
      },
      {
        data: { values: sigmas },
        mark: { type: "line", strokeWidth: 1.5 },
        encoding: {
          x: X,
          y: { ...y, ...toLogScale("σ (log)"), axis: { ...LOG_AXIS, orient: "right", grid: false } },
          ...channels,
        },
      },
    ],
    resolve: { scale: { y: "independent" } },
  };
}

function toLinesPanel(
  moments: readonly SearchMoment[],
  key: "means" | "deviations",
  labels: readonly string[],
  marks: readonly Spec[],
): Spec {
  const values = moments.flatMap((moment) =>
    labels.map((series, place) => ({ x: moment.evaluations, series, value: moment[key][place] ?? 0 })),
  );
  const isMeans = key === "means";
  const scale = isMeans
    ? { title: "share of the range", scale: { domain: [0, 1] } }
    : { ...toLogScale("share of the range (log)"), axis: LOG_AXIS };
  // The panel above has the legend for both.
  const legend = isMeans ? { columns: 2, labelLimit: 85 } : null;
  const series = { field: "series", type: "nominal", title: null, sort: null };
  const range = PALETTE.slice(0, labels.length);
  return {
    ...PANEL,
    title: toPanelTitle(isMeans ? "Middle of each parameter" : "Standard deviations"),
    layer: [
      ...marks,
      {
        data: { values },
        mark: { type: "line", strokeWidth: 1.5 },
        encoding: {
          x: X,
          y: { field: "value", type: "quantitative", ...scale },
          color: { ...series, scale: { domain: labels, range }, legend },
          strokeDash: { ...series, scale: { domain: labels, range: DASHES.slice(0, labels.length) }, legend },
        },
      },
    ],
  };
}

function toAxesPanel(moments: readonly SearchMoment[], marks: readonly Spec[]): Spec {
  const values = moments.flatMap(({ evaluations, axes }) =>
    spread(axes).map((value, rank) => ({ x: evaluations, rank, value })),
  );
  return {
    ...PANEL,
    title: toPanelTitle("Axis lengths"),
    layer: [
      ...marks,
      {
        data: { values: values.filter(({ value }) => value > 0) },
        mark: { type: "line", strokeWidth: 1.5, color: PALETTE[0] },
        encoding: {
          x: X,
          y: { field: "value", type: "quantitative", ...toLogScale("√ eigenvalue (log)"), axis: LOG_AXIS },
          detail: { field: "rank", type: "nominal" },
        },
      },
    ],
  };
}

const LOG_AXIS = { tickCount: 3, format: ".0e" };

function toLogScale(title: string): Spec {
  return { title, scale: { type: "log", nice: false } };
}

function toPanelTitle(text: string): Spec {
  return { text, fontSize: 12, fontWeight: "normal", offset: 6, frame: "group", anchor: "start" };
}

function toRestarts(restarts: readonly number[]): Spec[] {
  if (restarts.length === 0) return [];
  const values = restarts.map((x) => ({ x }));
  return [{ data: { values }, mark: { type: "rule", strokeDash: [1, 3], opacity: 0.7 }, encoding: { x: X } }];
}

/** The longest, the shortest and some between. */
function spread(axes: readonly number[]): readonly number[] {
  if (axes.length <= AXIS_LIMIT) return axes;
  const step = (axes.length - 1) / (AXIS_LIMIT - 1);
  return Array.from({ length: AXIS_LIMIT }, (_, rank) => axes[Math.round(rank * step)] ?? 0);
}
