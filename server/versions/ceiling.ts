import type { Allowance } from "../config/allowance.ts";
import { allowsHost } from "./hosts.ts";
import type { Ceiling, Policy } from "./policy.ts";
import type { Limits, Server, Tool, Version } from "./version.ts";
import { defined } from "../json/defined.ts";

/** Ceiling where the default branch has no served version. */
export const NOTHING: Ceiling = Object.freeze({ policies: [], hosts: [] });

/** Limits of a tool in a preview, regardless of its manifest: milliseconds, megabytes and bytes, as in `Limits`. */
export const PREVIEW_TOOL_LIMITS: Limits = Object.freeze({
  time: 30_000,
  cpu: 1_000,
  memory: 128,
  payload: 1024 * 1024,
});
/** Allowance of each tenant for a preview. */
export const PREVIEW_ALLOWANCE: Allowance = Object.freeze({ rate: 60, concurrency: 4 });

/** Hosts are those that the version's policies name; where they name none, those that its reviewed tools do. */
export function toCeiling({ policies, tools }: Pick<Version, "policies" | "tools">): Ceiling {
  const named = policies.flatMap(({ egress }) => egress);
  const hosts = named.length > 0 ? named : [...tools.values()].flatMap(({ egress }) => egress);
  return Object.freeze({ policies, hosts: Object.freeze([...new Set(hosts)]) });
}

/**
 * A version that no served tag leads to, with no more than the ceiling allows: its tools reach hosts that the ceiling has,
 * and callers may take what both allow. What roles come to is for `toPrincipal` to say. With the number of a pull request
 * it is a preview of that, whose tools have limits of their own besides.
 */
export function putUnder(
  ceiling: Ceiling,
  version: Version,
  preview?: number,
): Version & { readonly ceiling: Ceiling } {
  const tools = new Map([...version.tools].map(([name, tool]) => [name, lower(tool, ceiling, preview !== undefined)]));
  const lowerServer = (server: Server): Server =>
    Object.freeze({ ...server, tools: Object.freeze(server.tools.map((tool) => tools.get(tool.name) ?? tool)) });
  const servers = new Map([...version.servers].map(([name, server]) => [name, lowerServer(server)]));
  const limits = [
    ...ceiling.policies.map((policy) => toLimits(policy)),
    ...(preview === undefined ? [] : [OF_PREVIEWS]),
  ];
  const policies = Object.freeze([...version.policies, ...limits]);
  return Object.freeze({
    ...version,
    tools,
    servers,
    policies,
    ceiling,
    ...defined({ preview }),
  });
}

function lower(tool: Tool, { hosts }: Ceiling, isPreview: boolean): Tool {
  const egress = tool.egress.filter((host) => hosts.some((allowed) => allowsHost(allowed, host)));
  const { time, cpu, memory, payload } = PREVIEW_TOOL_LIMITS;
  const limits: Limits = {
    time: Math.min(tool.limits.time, time),
    cpu: Math.min(tool.limits.cpu, cpu),
    memory: Math.min(tool.limits.memory, memory),
    payload: Math.min(tool.limits.payload, payload),
  };
  return Object.freeze({ ...tool, egress, ...(isPreview ? { limits: Object.freeze(limits) } : {}) });
}

/** Reduces a policy to its limits of callers. */
function toLimits({ name, limits, file }: Pick<Policy, "name" | "limits" | "file">): Policy {
  return Object.freeze({ name, roles: new Map(), egress: [], limits, commands: [], file });
}

const OF_PREVIEWS = toLimits({ name: "preview", limits: { tenant: PREVIEW_ALLOWANCE }, file: "" });
