import { DASHES, NEUTRAL, PALETTE } from "./palette.ts";
import type { Spec } from "./picture.ts";
import { toLabels } from "./to-labels.ts";
import type { ArmMoment } from "./arm-history.ts";

/** Arms whose lines or areas can be told apart. */
export interface LeadingArms {
  /** In declared order. */
  readonly shown: readonly { readonly place: number; readonly label: string }[];
  readonly hidden: number;
  /** Notes about the arms that are not shown. */
  readonly notes: readonly string[];
}

/** The most used arms, and the baseline: as many as there are colours. */
export function toLeadingArms(
  arms: readonly string[],
  baseline: string | undefined,
  { arms: figures }: ArmMoment,
): LeadingArms {
  const labels = toLabels(arms);
  const uses = (place: number) =>
    arms[place] === baseline ? Infinity : (figures[place]?.assigned ?? 0) + (figures[place]?.rewards ?? 0);
  const shown = arms
    .map((_, place) => place)
    .toSorted((a, b) => (uses(a) === uses(b) ? a - b : uses(b) - uses(a)))
    .slice(0, PALETTE.length)
    .toSorted((a, b) => a - b)
    .map((place) => ({ place, label: labels[place] ?? "" }));
  const hidden = arms.length - shown.length;
  const notes = hidden === 0 ? [] : [`${shown.length} of ${arms.length} arms: the most used, and the baseline.`];
  return { shown, hidden, notes };
}

/** Colour, and for lines the dashes, by label; `other` adds what belongs to no label, in grey. */
export function toSeriesChannels(
  labels: readonly string[],
  { lines, other }: { readonly lines: boolean; readonly other?: string },
): Spec {
  const domain = other === undefined ? labels : [...labels, other];
  const colours = [...PALETTE.slice(0, labels.length), ...(other === undefined ? [] : [NEUTRAL])];
  // One legend for both, or none that would tell a single series from nothing.
  const shared = {
    field: "series",
    type: "nominal",
    sort: null,
    title: null,
    ...(lines ? {} : { legend: { symbolType: "square" } }),
  };
  const color = { ...shared, scale: { domain, range: colours } };
  return lines
    ? { color, strokeDash: { ...shared, scale: { domain, range: DASHES.slice(0, domain.length) } } }
    : { color };
}
