import { appendFileSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Loaded before Cairn with `--import`: notes each call of the functions that `WALK_STATIONS` names (`path function`, one a
 * line) in the file `WALK_TRACE`, a line each, in the order of their calls.
 */
const { WALK_STATIONS: stations = "", WALK_TRACE: trace = "" } = process.env;
const wanted = new Map<string, string[]>();
for (const line of readFileSync(stations, "utf8").split("\n")) {
  const [path = "", name = ""] = line.split(" ");
  if (name !== "") wanted.set(path, [...(wanted.get(path) ?? []), name]);
}

Object.assign(globalThis, { noteStation: (station: string) => appendFileSync(trace, `${station}\n`) });

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const path = url.startsWith("file:") ? fileURLToPath(url).replace(`${process.cwd()}/`, "") : "";
    const names = wanted.get(path);
    if (names === undefined) return loaded;
    const source = names.reduce((text, name) => mark(text, path, name), String(loaded.source));
    return { ...loaded, source };
  },
});

/** The source with a note at the beginning of one function's body. */
function mark(source: string, path: string, name: string): string {
  const found = new RegExp(`^\\s*(?:export )?(?:async )?function\\*? ${name}(?:<[^(]*>)?\\(`, "m").exec(source);
  if (found === null) throw new Error(`${path} has no function \`${name}\`.`);
  const body = findBody(source, found.index + found[0].length);
  return `${source.slice(0, body)} globalThis.noteStation("${path} ${name}");${source.slice(body)}`;
}

/** The place after the brace that opens the body of a function whose parameters begin at `from`. */
function findBody(source: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; depth > 0; at++) depth += "([{".includes(source[at] ?? "x") ? 1 : ")]}".includes(source[at] ?? "x") ? -1 : 0;
  // A result's type may have braces of its own: the body's brace ends its line.
  const end = /\{$/m.exec(source.slice(at));
  if (end === null) throw new Error("A function has no body.");
  return at + end.index + 1;
}
