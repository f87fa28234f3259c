import { constructFromEvents, type Event, EVENT_ID, parseEvents, YAMLException } from "js-yaml";
import { explainSyntaxError } from "./explain-syntax-error.ts";
import type { Finding } from "./finding.ts";

export const MAX_YAML_BYTES = 256 * 1024;
const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;
const MAX_LINES = 10_000;

/** js-yaml's events, which say what is where without building anything yet; or why there are none. */
export function parseToEvents(text: string): readonly Event[] | Finding {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_YAML_BYTES) {
    return refuse("file-too-large", `The file has ${bytes} bytes; a manifest may have ${MAX_YAML_BYTES}.`, SPLIT);
  }
  if (text.split(/\r\n?|\n/, MAX_LINES + 1).length > MAX_LINES) {
    return refuse("yaml-too-complex", `The file has more than ${MAX_LINES} lines.`, SPLIT);
  }
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const conflict = CONFLICT.exec(text);
    if (conflict !== null) return { offset: conflict.index, ...UNRESOLVED };
    const offset = Math.min(error.mark?.position ?? 0, text.length);
    const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
    return { offset, ...explainSyntaxError(error.reason, text.slice(lineStart, offset + 1), MAX_DEPTH) };
  }
  const values = events.filter(({ type }) => type !== EVENT_ID.DOCUMENT && type !== EVENT_ID.POP).length;
  if (values === 0) return refuse("yaml-syntax", "The file is empty.", "Write the manifest, or delete the file.");
  if (values <= MAX_VALUES) return events;
  return refuse("yaml-too-complex", `The file holds more than ${MAX_VALUES} keys and values.`, SPLIT);
}

export function constructValue(text: string, events: readonly Event[]): unknown {
  return constructFromEvents([...events], { source: text, maxAliases: 0 })[0];
}

/** Line with which git and imports begin what two sides have changed. */
const CONFLICT = /^<{7}(?: |\r?$)/m;
const UNRESOLVED = {
  rule: "yaml-syntax",
  message: "A conflict is unresolved here.",
  fix: "Keep what you want of both sides, and delete the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`.",
} as const;

const SPLIT = "Split it, or move data that tools need at run time into a module under `tools/_lib`.";

function refuse(rule: Finding["rule"], message: string, fix: string): Finding {
  return { offset: 0, rule, message, fix };
}
