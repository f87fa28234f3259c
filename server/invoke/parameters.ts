import { NO_PARAMETERS } from "../sandbox/sandbox.ts";
import type { Json } from "../store/store.ts";
import type { Tool, Version } from "../versions/version.ts";

/** The values that a call of `tool` runs with: experiment to parameter to value, in the order of their names. */
export function assignParameters({ parameters }: Version, tool: Tool): { readonly [experiment: string]: Json } {
  if (tool.parameters.length === 0) return NO_PARAMETERS;
  return Object.fromEntries(
    tool.parameters.toSorted().map((name) => {
      const set = [...(parameters.get(name)?.parameters ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
      return [name, Object.fromEntries(set.map(([parameter, { default: value }]) => [parameter, value]))];
    }),
  );
}
