import { PALETTE } from "./palette.ts";
import type { Spec } from "./picture.ts";

/** Text and rules take the colour of the picture's style sheet, which follows the reader's light or dark scheme. */
const INK = "currentColor";

/** Look of every picture, as Vega-Lite's `config`. */
export const THEME: Spec = {
  // What assistive software reads is the picture's own title and description, not each of a thousand marks.
  aria: false,
  background: null,
  font: "sans-serif",
  padding: 8,
  range: { category: PALETTE },
  view: { stroke: null },
  title: {
    color: INK,
    subtitleColor: INK,
    fontSize: 15,
    subtitleFontSize: 11,
    subtitlePadding: 4,
    anchor: "start",
    frame: "group",
    offset: 10,
  },
  axis: {
    labelColor: INK,
    titleColor: INK,
    domainColor: INK,
    domainOpacity: 0.4,
    tickColor: INK,
    tickOpacity: 0.4,
    gridColor: INK,
    gridOpacity: 0.12,
    labelFontSize: 11,
    titleFontSize: 12,
    titleFontWeight: "normal",
    titlePadding: 8,
    labelLimit: 170,
    tickCount: 5,
  },
  legend: {
    labelColor: INK,
    titleColor: INK,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: "normal",
    labelLimit: 125,
    orient: "bottom",
    direction: "horizontal",
    columns: 4,
    symbolType: "stroke",
    symbolSize: 260,
    symbolStrokeWidth: 2.5,
    symbolOpacity: 1,
    offset: 12,
  },
  text: { color: INK },
  rule: { color: INK },
  line: { strokeWidth: 2 },
};
