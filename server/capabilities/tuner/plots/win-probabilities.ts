import { formatNumber } from "./format-number.ts";
import { type Picture, toEmptyPicture } from "./picture.ts";
import type { Strength } from "./preference-strengths.ts";
import { toLabels } from "./to-labels.ts";

export interface WinData {
  readonly experiment: string;
  readonly estimates: readonly Pick<Strength, "name" | "value">[];
}

/** Items shown: the strongest. */
const ITEM_LIMIT = 30;
/** With more items than this, cells are too small for their numbers. */
const NUMBER_LIMIT = 12;
const SIDE = 380;
/** From losing to winning; even is nearly white, whatever lies behind the picture. */
const COLOURS = ["#b35806", "#f1a340", "#f7f7f7", "#5aaadc", "#0a5a96"];

/** Draws the probability of each item to be preferred to each other one, by the fitted strengths. */
export function drawWinProbabilities({ experiment, estimates }: WinData): Picture {
  const title = `${experiment}: how likely the row beats the column`;
  if (estimates.length === 0) return toEmptyPicture(title, "no preferences were fitted");
  const labels = toLabels(estimates.map(({ name }) => name));
  const items = estimates
    .map(({ value }, place) => ({ value, label: labels[place] ?? "" }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, ITEM_LIMIT);
  const rows = items.flatMap((row) =>
    items.flatMap((column) => {
      const chance = 1 / (1 + Math.exp(column.value - row.value));
      return [{ row: row.label, column: column.label, chance, text: row === column ? "" : toPercent(chance) }];
    }),
  );
  const domain = items.map(({ label }) => label);
  const encoding = {
    x: { field: "column", type: "nominal", title: null, scale: { domain }, axis: { labelAngle: -90, labelLimit: 110 } },
    y: { field: "row", type: "nominal", title: null, scale: { domain } },
  };
  const color = {
    field: "chance",
    type: "quantitative",
    title: "chance that the row is preferred",
    scale: { domain: [0, 0.25, 0.5, 0.75, 1], range: COLOURS },
    legend: { format: ".0%", gradientLength: 240, values: [0, 0.25, 0.5, 0.75, 1], titleLimit: 240 },
  };
  const cells = { data: { values: rows }, mark: { type: "rect" }, encoding: { ...encoding, color } };
  const toNumbers = (dark: boolean) => ({
    data: { values: rows.filter(({ chance }) => isDark(chance) === dark) },
    mark: { type: "text", fontSize: 10, color: dark ? "#fff" : "#111" },
    encoding: { ...encoding, text: { field: "text", type: "nominal" } },
  });
  const [first, second] = items;
  return {
    title,
    notes: estimates.length === items.length ? [] : [`The ${ITEM_LIMIT} strongest of ${estimates.length}.`],
    description: `In order of strength: ${domain.join(", ")}.${
      first === undefined || second === undefined
        ? ""
        : ` ${first.label} beats ${second.label} with probability ${formatNumber(1 / (1 + Math.exp(second.value - first.value)))}.`
    }`,
    spec: {
      width: SIDE,
      height: Math.max(60, Math.min(SIDE, items.length * 34)),
      layer: items.length > NUMBER_LIMIT ? [cells] : [cells, toNumbers(false), toNumbers(true)],
    },
  };
}

/** Checks that white reads better than black on the cell. */
function isDark(chance: number): boolean {
  return chance < 0.12 || chance > 0.85;
}

function toPercent(chance: number): string {
  return `${Math.round(100 * chance)}`;
}
