/**
 * Colours of series, chosen so that each has a contrast of at least 3 : 1 (WCAG 2.2, 1.4.11) both on white and on
 * `#111`, and that any two differ also without one kind of cone. The first three are of Okabe and Ito (2008).
 */
export const PALETTE: readonly string[] = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#871ef0",
  "#c31e96",
  "#1e96ff",
  "#4b695a",
  "#c31e00",
];

/** Brighter palette for dark backgrounds. */
export const DARK_PALETTE: readonly string[] = [
  "#3d9fe0",
  "#f08a3c",
  "#2bc79a",
  "#b07cff",
  "#f06ac4",
  "#8fd0ff",
  "#a3b8ad",
  "#ff6b55",
];

/** For what belongs to no series of its own. */
export const NEUTRAL = "#808080";

/** Lines differ in these too, for whoever tells colours apart badly. */
export const DASHES: readonly (readonly number[])[] = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
  [12, 4],
  [4, 2, 1, 2, 1, 2],
  [1, 3],
  [10, 2, 4, 2],
];
