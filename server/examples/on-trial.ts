import { toTarget } from "../capabilities/fetch/egress.ts";
import type { FetchOptions } from "../capabilities/fetch/fetch.ts";
import type { McpSyscallOptions } from "../capabilities/mcp/syscalls.ts";
import { CairnError } from "../errors.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import type { Json } from "../json/types.ts";
import type { Hosts } from "./recording.ts";

/** One call on trial while it runs, with those that it makes. */
export interface Running {
  readonly hosts: Hosts | undefined;
  /** Milliseconds by which its time is ahead of ours. */
  readonly ahead: number;
  readonly missing: Set<string>;
  isLate: boolean;
}

/**
 * Creates how tools fetch on trial: from what stands in place of the hosts, or from a host that is mapped. Of any other that a tool may
 * reach by its manifest it is kept that it was wanted; what it may not reach is refused as ever.
 */
export function createFetchOnTrial(
  egressMap: ReadonlyMap<string, string>,
  hasNetwork: boolean,
  find: (tenant: string) => Running | undefined,
): NonNullable<FetchOptions["aroundFetch"]> {
  return async ({ tool, principal }, request, send) => {
    const { url, mapped } = toTarget(request.url, tool.egress, { egressMap });
    const own = find(principal.tenant);
    const answer = await own?.hosts?.answer(request, tool, send);
    if (answer !== undefined) return answer;
    if (mapped || hasNetwork) return send();
    own?.missing.add(`\`${url.host}\``);
    throw new CairnError("UPSTREAM_ERROR", `\`${url.host}\` could not be reached: there is no network here.`);
  };
}

/** Creates how tools call upstreams on trial: recordings have their answers as those of a host of their own. */
export function createUpstreamOnTrial(
  hasNetwork: boolean,
  find: (tenant: string) => Running | undefined,
): NonNullable<McpSyscallOptions["aroundUpstream"]> {
  return async ({ tool, principal }, { upstream, tool: name, input }, send) => {
    const own = find(principal.tenant);
    const url = `https://${upstream}.upstream.invalid/${encodeURIComponent(name)}`;
    const body = canonicalJson(input as Json);
    const sent = async () => ({ status: 200, headers: {}, body: await send() });
    const answer = await own?.hosts?.answer({ method: "POST", url, headers: {}, body }, tool, sent);
    if (answer !== undefined) return answer.body;
    if (hasNetwork) return send();
    own?.missing.add(`the upstream \`${upstream}\``);
    throw new CairnError(
      "UPSTREAM_ERROR",
      `The upstream \`${upstream}\` could not be reached: there is no network here.`,
    );
  };
}
