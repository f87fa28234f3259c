import { type Allowance, type Ceilings, lowest } from "../../config/allowance.ts";
import { CairnError } from "../../errors.ts";
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

/** A limit that a call met. */
interface Met {
  readonly limit: "rate" | "concurrency" | "dailyCost";
  /** Whose limit, and its name. */
  readonly of: "tenant" | "actor" | "tool";
  readonly name: string;
  readonly allowed: number;
  readonly retryMs: number;
}

const PHRASES = {
  rate: "calls a minute",
  concurrency: "calls at the same time",
  dailyCost: "cost units a day (UTC)",
} as const;

/** RATE_LIMITED with which limit was met, whose, and in how many seconds it is worth another try. */
export function rateLimited({ limit, of, name, allowed, retryMs }: Met): CairnError {
  const retryAfter = Math.max(1, Math.ceil(retryMs / 1000));
  return new CairnError(
    "RATE_LIMITED",
    `The ${of} \`${name}\` has no more of its ${allowed} ${PHRASES[limit]}; try again in ${retryAfter} s.`,
    { details: { limit, of, name, allowed, retryAfter } },
  );
}
