import { type Allowance, type Ceilings, lowest } from "../../config/allowance.ts";
import type { Tool, Version } from "../../versions/version.ts";

/** The limits on the calls of one tool. */
export interface Allowances {
  readonly tenant: Allowance;
  readonly actor: Allowance;
  readonly tool: Allowance;
}

/** Finds what limits a tool's calls: the lowest numbers of its version's policies and the operator; undefined for none. */
export function createAllowances(ceilings: Ceilings): (version: Version, tool: Tool) => Allowances | undefined {
  const known = new WeakMap<Tool, Allowances | "none">();
  return (version, tool) => {
    let found = known.get(tool);
    if (found === undefined) {
      found = toAllowances(version, tool, ceilings) ?? "none";
      known.set(tool, found);
    }
    return found === "none" ? undefined : found;
  };
}

function toAllowances({ policies }: Version, { name }: Tool, ceilings: Ceilings): Allowances | undefined {
  const all = policies.map(({ limits }) => limits);
  const allowances = {
    tenant: lowest([ceilings.tenant, ...all.map(({ tenant }) => tenant)]),
    actor: lowest([ceilings.actor, ...all.map(({ actor }) => actor)]),
    tool: lowest([
      ceilings.tool,
      ...all.map(({ tools = {} }) => (Object.hasOwn(tools, name) ? tools[name] : undefined)),
    ]),
  };
  const isLimited = Object.values(allowances).some((allowance) => Object.keys(allowance).length > 0);
  return isLimited ? Object.freeze(allowances) : undefined;
}
