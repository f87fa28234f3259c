import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { DARK_PALETTE, PALETTE } from "./palette.ts";
import type { Picture } from "./picture.ts";
import { THEME } from "./theme.ts";

declare module "vega" {
  /** Of the scene graph; left out of Vega's own types. */
  export const textMetrics: {
    width: (item: { readonly fontSize?: number; readonly limit?: number }, text: string) => number;
  };
}

/** Of a character, in parts of the font size: a little more than the mean of common sans-serif fonts. */
const CHARACTER_WIDTH = 0.58;
const FONT_SIZE = 11;
/** Of notes, in characters. */
const LINE_LENGTH = 88;

/** Words, rules and series in the reader's own scheme; nothing behind them. */
const STYLE = `svg{color:#24292f}@media(prefers-color-scheme:dark){svg{color:#e6e6e6}${PALETTE.map(toDark).join("")}}`;

/**
 * The picture as an SVG document, the same bytes each time. It has no script and refers to nothing outside itself, so
 * that whoever shows it neither runs nor fetches anything. One at a time: Vega numbers its definitions globally.
 * Importing this file loads Vega, which takes a while.
 */
export async function renderPicture({ title, notes, description, spec }: Picture): Promise<string> {
  // A canvas that happens to be installed would measure text by the fonts of the machine.
  vega.textMetrics.width = ({ fontSize = FONT_SIZE, limit = 0 }, text) =>
    Math.min(limit > 0 ? limit : Infinity, text.length * fontSize * CHARACTER_WIDTH);
  vega.resetSVGDefIds();
  const heading = { text: title, ...(notes.length === 0 ? {} : { subtitle: notes.flatMap(toLines) }) };
  const logger = createLogger();
  // Specifications are written in this folder and never read from outside; their types are those of JSON.
  const whole = { ...spec, title: heading, config: THEME } as unknown as TopLevelSpec;
  const { spec: compiled } = compile(whole, { logger });
  const view = new vega.View(vega.parse(compiled), { renderer: "none", loader: createClosedLoader(), logger });
  try {
    return withHead(await view.toSVG(), title, [description, ...notes].join(" "));
  } finally {
    view.finalize();
  }
}

/** A note broken between words. */
function toLines(note: string): string[] {
  const lines: string[] = [];
  for (const word of note.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Refuses whatever would be fetched: data, images, the targets of links. */
function createClosedLoader(): vega.Loader {
  const refuse = () => Promise.reject(new TypeError("A picture has everything it needs in it."));
  return { ...vega.loader(), load: refuse, sanitize: refuse, http: refuse, file: refuse };
}

/** Vega logs what it should throw: a picture is right or there is none. */
function createLogger(): vega.LoggerInterface {
  const logger = vega.logger(vega.None);
  logger.error = (...reasons) => {
    throw new TypeError(`The picture cannot be drawn: ${reasons.map(String).join(" ")}`);
  };
  return logger;
}

function withHead(svg: string, title: string, description: string): string {
  const [head = ""] = /^<svg[^>]*>/.exec(svg) ?? [];
  const [, width, height] = / width="(\d+)" height="(\d+)"/.exec(head) ?? [];
  const open = `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
  const texts = `<title>${escape(title)}</title><desc>${escape(description)}</desc><style>${STYLE}</style>`;
  return `${open}${texts}${svg.slice(head.length)}\n`;
}

function toDark(colour: string, place: number): string {
  const dark = DARK_PALETTE[place] ?? colour;
  return `[stroke="${colour}"]{stroke:${dark}}[fill="${colour}"]{fill:${dark}}`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
