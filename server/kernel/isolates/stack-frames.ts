import { adviseOn } from "../../versions/manifests/handlers/foreign-globals.ts";

/** Frames of a stack that an error names. */
const MAX_FRAMES = 10;

/** A stack as V8 writes it, apart: what was thrown, and where. */
export interface SplitStack {
  /** Name and message of the error. */
  readonly said: string;
  /** Frames within the program, innermost first: `tools/shop/buy.ts:18:9 total`. */
  readonly frames: readonly string[];
  /** Remedy for a global that is not there, which `said` ends with; empty for other errors. */
  readonly advice: string;
  /** The place of the innermost, as ` (tools/shop/buy.ts:18:9)`; empty where no frame is of the program. */
  readonly at: string;
}

/**
 * Splits the stack of an error of a handler. Erasing types moves nothing, so places are those of the source. The text comes
 * from the handler, which can write what it likes there: it is for people to read.
 */
export function splitStack(text: string, modules: { has(path: string): boolean }): SplitStack {
  const [first = "", ...lines] = text.split(/\n {4}at /);
  const frames = lines.flatMap((line) => {
    const [, name, path = "", place] = /^(?:(.*) \()?([^()\s]+?)(:\d+:\d+)\)?$/.exec(line.trimEnd()) ?? [];
    return modules.has(path) ? [`${path}${place}${name === undefined ? "" : ` ${name}`}`] : [];
  });
  const [place] = frames[0]?.split(" ") ?? [];
  const advice = adviseOn(first);
  return {
    said: `${first}${advice}`,
    frames: frames.slice(0, MAX_FRAMES),
    at: place === undefined ? "" : ` (${place})`,
    advice,
  };
}
