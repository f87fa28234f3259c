import { toCodeCell, toTable } from "../../../text/markdown.ts";
import type { ChangedValue } from "./list-changed-values.ts";

/** Characters of a value that a table shows, and those before the first difference. */
const VALUE_SHOWN = 100;
const COMMON_SHOWN = 20;
const KEY_SHOWN = 160;

/** Writes values of manifests as they were and as they become, as a table in Markdown; empty where there are none. */
export function toValueTable(values: readonly ChangedValue[]): string {
  const rows = values.map(({ place, key, before, after }) => {
    if (key === "" && (before === undefined || after === undefined))
      return [
        toCodeCell(place, KEY_SHOWN),
        before === undefined ? "none" : "a manifest",
        after === undefined ? "none" : "a new manifest",
      ];
    const texts = shorten(write(before), write(after));
    const what = [place, key].filter((part) => part !== "").map((part) => toCodeCell(part, KEY_SHOWN));
    return [what.join(" "), ...texts.map((text) => (text === undefined ? "none" : toCodeCell(text, VALUE_SHOWN)))];
  });
  return toTable(["what", "before", "after"], rows);
}

function write(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Leaves out what two long values begin with alike, so that what differs is seen. */
function shorten(before: string | undefined, after: string | undefined): readonly (string | undefined)[] {
  if (before === undefined || after === undefined || Math.max(before.length, after.length) <= VALUE_SHOWN)
    return [before, after];
  let common = 0;
  while (common < before.length && before[common] === after[common]) common += 1;
  const start = common - COMMON_SHOWN;
  if (start <= 0) return [before, after];
  return [before, after].map((text) => `…${text.slice(start).toWellFormed()}`);
}
