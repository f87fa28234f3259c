import type { Json } from "../store/store.ts";
import type { Tool, Version } from "../versions/version.ts";

/** The values that a call of `tool` runs with: experiment to parameter to value. */
export function assignParameters({ parameters }: Version, tool: Tool): { readonly [experiment: string]: Json } {
  return Object.fromEntries(
    tool.parameters.map((name) => {
      const set = parameters.get(name)?.parameters ?? new Map<string, never>();
      return [name, Object.fromEntries([...set].map(([parameter, { default: value }]) => [parameter, value]))];
    }),
  );
}
