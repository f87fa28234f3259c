import { createReach } from "../semver/declared/handler-reach.ts";
import type { Tool, Version } from "../versions/version.ts";

/**
 * Finds tools that may answer otherwise in the candidate: those whose manifest, parameters or code are others, those of one
 * version only, and those that call one of them of which nothing is on tape.
 */
export function findChanged(from: Version, candidate: Version): ReadonlySet<string> {
  const [before, after] = [createText(from), createText(candidate)];
  const names = new Set([...from.tools.keys(), ...candidate.tools.keys()]);
  const changed = new Set([...names].filter((name) => before(name) !== after(name)));
  const isHeard = (name: string) => from.tools.get(name)?.tape === true && candidate.tools.has(name);
  if ([...changed].every(isHeard)) return changed;
  const callers = [...names].filter((name) => candidate.tools.get(name)?.uses.has("tools.call") === true);
  return new Set([...changed, ...callers]);
}

/** All that decides what a tool of a version answers, as one text. */
function createText(version: Version): (name: string) => string {
  const reach = createReach(version.program);
  const { modules } = version.program;
  return (name) => {
    const tool = version.tools.get(name);
    if (tool === undefined) return "";
    const code = [...reach(tool.handler)].sort().map((path) => [path, modules.get(path) ?? ""]);
    const sets = tool.parameters.map((set) => version.parameters.get(set) ?? null);
    const { state, values } = version.servers.get(tool.server) ?? {};
    return JSON.stringify([toPlain(tool), sets, state, values, code], (_key, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    );
  };
}

/** Picks what callers and handlers see of a tool: not its number, its texts or what is kept of its calls. */
function toPlain(tool: Tool): Partial<Tool> {
  const { version: _version, record: _record, tape: _tape, recordDays: _days, file: _file, ...rest } = tool;
  return rest;
}
