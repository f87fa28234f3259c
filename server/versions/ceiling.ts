import type { Ceiling } from "./policy.ts";
import type { Version } from "./version.ts";

/** Where the default branch has no served version. */
export const NOTHING: Ceiling = Object.freeze({ policies: [], hosts: [] });

/** Hosts are those that the version's policies name; where they name none, those that its reviewed tools do. */
export function toCeiling({ policies, tools }: Pick<Version, "policies" | "tools">): Ceiling {
  const named = policies.flatMap(({ egress }) => egress);
  const hosts = named.length > 0 ? named : [...tools.values()].flatMap(({ egress }) => egress);
  return Object.freeze({ policies, hosts: Object.freeze([...new Set(hosts)]) });
}
