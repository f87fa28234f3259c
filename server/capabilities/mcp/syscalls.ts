import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { createArgumentCheck } from "../../kernel/arguments.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls, toJson } from "../../kernel/dispatch.ts";
import type { FrozenTool, Upstream } from "../../versions/upstream.ts";
import { loadValues, type Secrets } from "../secrets/secrets.ts";
import { toAnswer, writeResult } from "./answer.ts";
import type { Upstreams } from "./open-upstreams.ts";

/** Request of a handler to an upstream, by which its answer is recorded and played. */
export interface UpstreamRequest {
  readonly upstream: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface McpSyscallOptions {
  /** Absent: no upstream can be reached. */
  readonly upstreams?: Upstreams;
  /** Absent: requests carry no secrets. */
  readonly secrets?: Secrets;
  readonly now: () => number;
  /** Put around every call of an upstream, as text of its result: where calls are on trial, something else may answer. */
  readonly aroundUpstream?: (
    call: RunningCall,
    request: UpstreamRequest,
    send: () => Promise<string>,
  ) => Promise<string>;
}

const mcpArguments = createArgumentCheck<UpstreamRequest>("mcp.call", {
  type: "object",
  required: ["upstream", "tool", "input"],
  properties: { upstream: { type: "string" }, tool: { type: "string" }, input: { type: "object" } },
});

/** `ctx.mcp`: tools of the version's upstreams, as far as the calling tool's manifest names those. */
export function createMcpSyscalls({ upstreams, secrets, now, aroundUpstream }: McpSyscallOptions) {
  return defineSyscalls({
    async "mcp.call"(call, args) {
      const request = mcpArguments(args);
      const { upstream, frozen } = findTool(call, request);
      const name = `${request.upstream}.${request.tool}`;
      keepPromise(call, name, frozen);
      const send = async () => {
        if (upstreams === undefined) throw new CairnError("UNAVAILABLE", "Upstreams cannot be reached here.");
        const { version, principal, deadline, signal, onProgress, redactor } = call;
        // For each call, because they change; within what stands in for upstreams, so that replays never have one.
        const credentials =
          secrets === undefined ? [] : await loadValues(secrets, call.tool, upstream.secrets, principal);
        return upstreams.call({
          ...request,
          version,
          upstream,
          caller: principal,
          credentials,
          patienceMs: Math.min(upstream.limits.time, deadline - now()),
          signal,
          ...(onProgress === undefined
            ? {}
            : {
                onProgress: ({ message, ...report }) =>
                  onProgress(message === undefined ? report : { ...report, message: redactor.text(message) }),
              }),
        });
      };
      const result =
        aroundUpstream === undefined
          ? await send()
          : readResult(await aroundUpstream(call, request, async () => writeResult(await send())));
      return toJson(toAnswer(name, frozen, result));
    },
  });
}

/** Finds what a call means. @throws FORBIDDEN for an upstream that the tool's manifest does not name, NOT_FOUND for a tool. */
function findTool(
  { tool, version }: RunningCall,
  request: UpstreamRequest,
): { readonly upstream: Upstream; readonly frozen: FrozenTool } {
  const upstream = tool.upstreams.includes(request.upstream) ? version.upstreams.get(request.upstream) : undefined;
  if (upstream === undefined) {
    const message = `\`${tool.name}\` may not call \`${request.upstream.slice(0, 100)}\`: its manifest would have to list it under \`upstreams\`.`;
    throw new CairnError("FORBIDDEN", message);
  }
  const frozen = upstream.tools.get(request.tool);
  if (frozen !== undefined) return { upstream, frozen };
  const message = `The upstream \`${upstream.name}\` has no tool \`${request.tool.slice(0, 100)}\` in this version: \`cairn import mcp\` brings one in.`;
  throw new CairnError("NOT_FOUND", message);
}

/** Holds a tool without side effects to tools of upstreams that only read. */
function keepPromise({ tool, effects }: RunningCall, name: string, { definition: { annotations } }: FrozenTool): void {
  if (tool.sideEffect) return effects.markIrreversible();
  if (isObject(annotations) && annotations["readOnlyHint"] === true) return;
  throw new CairnError(
    "FORBIDDEN",
    `\`${tool.name}\` says \`sideEffect: false\` and so cannot call \`${name}\`, which does not say that it only reads.`,
  );
}

function readResult(text: string): Readonly<Record<string, unknown>> {
  const value = readJson(text);
  if (isObject(value)) return value;
  throw new CairnError("UPSTREAM_ERROR", "The recorded answer of the upstream is no result of a tool.");
}
