import type { Json } from "../../json/types.ts";
import { CairnError, type ErrorBody } from "../../errors.ts";
import { readIdempotencyKey } from "../../idempotency-key.ts";
import type { Call, Interaction, Invoke, Result } from "../../kernel/call.ts";
import { withTraceOf } from "../../kernel/origin.ts";
import { digest } from "../../kernel/record.ts";
import { createUsableTools, listNames } from "../../kernel/tools/usable-tools.ts";
import { isObject } from "../../json/is-object.ts";
import { holdsAll, type Principal } from "../../principal.ts";
import { describeTool, showDeprecation } from "../../versions/retirement/deprecation.ts";
import { isOpenWorld } from "../../versions/surface.ts";
import type { Server, Tool, Version } from "../../versions/version.ts";
import type { Exchange } from "../exchange.ts";
import { type Identity, toCacheHints } from "../identity.ts";
import { type Params, type RequestId, serialise, type Serialised, writeNotification } from "../json-rpc.ts";
import { createLiveTools, isLiveCursor, type LiveTools, toLiveResult } from "../live-tools.ts";
import { reaches } from "../log-levels.ts";
import { failWith, type Methods } from "../method.ts";
import { createPages } from "../pages.ts";
import { readAnswers, toInputRequired } from "../questions.ts";
import type { RequestStates, StateBinding } from "../request-state.ts";
import { toDualBody } from "../to-dual-body.ts";

/** Largest number of rounds in which one call may ask questions; more count as endless. */
const ROUND_LIMIT = 20;

/** The tools of one server of one version, and what answers for them. */
interface Served {
  readonly version: Version;
  readonly server: Server;
  readonly identity: Identity;
  readonly byName: ReadonlyMap<string, Tool>;
  readonly invoke: Invoke;
  readonly states: RequestStates;
}

/** Creates `tools/list` and `tools/call` of one server of one version. */
export function createToolMethods(
  version: Version,
  server: Server,
  identity: Identity,
  { invoke, states }: { readonly invoke: Invoke; readonly states: RequestStates },
): Methods {
  const byName = new Map(server.tools.map((tool) => [tool.name, tool]));
  const served: Served = { version, server, identity, byName, invoke, states };
  const pages = createUsableTools(server.tools, (usable, isRestricted) =>
    createPages("tools", usable.map(toDefinition), identity, !isRestricted),
  );
  const live = createLiveTools(version, server, invoke);
  return {
    "tools/list": (params, exchange) =>
      live?.isFor(exchange) === true
        ? listWithLive(served, live, params, exchange)
        : pages.listingFor(exchange.principal)(params, exchange),
    async "tools/call"(params, exchange, id) {
      const { name } = params;
      if (live?.isFor(exchange) === true && typeof name === "string" && !byName.has(name)) {
        return callLive(served, live, name, params, exchange);
      }
      const tool = find(served, params["name"], exchange.principal);
      const call = toCall(version, tool, params, exchange);
      if (!tool.interactive) return answer(served, await invoke(call), exchange);
      return exchange.modern ? callModern(served, call, params, exchange) : callInSession(served, call, exchange, id);
    },
  };
}

function find({ version, server, byName }: Served, name: unknown, principal: Principal): Tool {
  if (typeof name !== "string") throw new CairnError("BAD_REQUEST", "`name` must be a string: the tool to call.");
  const tool = byName.get(name);
  if (tool) return tool;
  throw new CairnError(
    "INVALID_TOOL",
    `There is no tool \`${name.slice(0, 100)}\` on \`${server.name}\` of version ${version.semver}; it has: ${listNames(server.tools, principal)}.`,
  );
}

function answer({ server, identity }: Served, result: Result, { modern }: Exchange) {
  if (result.ok) return toSuccess(result, modern ? identity.metaMember : undefined);
  const isProtocolError = modern && result.error.name === "MISSING_CLIENT_CAPABILITY";
  if (server.errors === "protocol") return failWith(toDualBody(result.error));
  return isProtocolError ? failWith(result.error) : toFailure(result);
}

/** Lists live tools behind the server's own. The list is not kept: it may be another one the next time. */
async function listWithLive(served: Served, one: LiveTools, { cursor }: Params, exchange: Exchange) {
  if (cursor !== undefined && !isLiveCursor(cursor)) {
    throw new CairnError("BAD_REQUEST", "`cursor` must be a `nextCursor` that an earlier page of this list gave.");
  }
  const { principal, modern } = exchange;
  const page = await one.list(cursor, exchange);
  if ("ok" in page) return failWith(page.error);
  const own = served.server.tools.filter(({ requiredCapabilities }) => holdsAll(principal, requiredCapabilities));
  const { definitions, nextCursor } = page;
  return {
    tools: [...(cursor === undefined ? own.map(toDefinition) : []), ...definitions],
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(modern ? toCacheHints(false, false) : {}),
  };
}

async function callLive(served: Served, one: LiveTools, name: string, params: Params, exchange: Exchange) {
  const { tool, input } = one.toCall(name, params["arguments"] ?? {});
  const result = await served.invoke(toCall(served.version, tool, { ...params, arguments: input }, exchange));
  if (one.isUnknown(name, result)) return find(served, name, exchange.principal);
  if (!result.ok) return answer(served, result, exchange);
  const { conversationId, logsUri } = result;
  const value = toLiveResult(result);
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    ...(isObject(value) ? { structuredContent: value } : {}),
    _meta: { "cairn/conversation_id": conversationId, "cairn/logs_uri": logsUri },
  };
}

async function callModern(served: Served, call: Call, params: Params, exchange: Exchange) {
  const { principal, client } = exchange;
  const { name } = call.tool;
  const input = digest((call.input ?? {}) as Json);
  const binding: StateBinding = { principal, commit: served.version.commit, method: "tools/call", name, digest: input };
  const { answers, resume } = readAnswers(params, binding, served.states);
  const interaction: Interaction = {
    client,
    answers: new Map(Object.entries(answers)),
    ...(resume === undefined ? {} : { resume }),
  };
  const result = await served.invoke({ ...call, interaction });
  if (result.ok || result.pending === undefined) return answer(served, result, exchange);
  return toInputRequired(result.pending.questions, { answers, resume: result.pending.resume }, binding, served.states);
}

/** Calls a tool for a client with a session, which is asked while its request waits. */
async function callInSession(served: Served, call: Call, exchange: Exchange, id: RequestId) {
  const { session, client, signal } = exchange;
  if (session === undefined) return answer(served, await served.invoke(call), exchange);
  let interaction: Interaction = { client, answers: new Map() };
  for (let round = 0; round < ROUND_LIMIT; round += 1) {
    const result = await served.invoke({ ...call, interaction });
    if (result.ok || result.pending === undefined) return answer(served, result, exchange);
    const { questions, resume } = result.pending;
    const given = await session.ask(id, questions, signal);
    interaction = { client, answers: new Map([...interaction.answers, ...given]), resume };
  }
  throw new CairnError(
    "BAD_REQUEST",
    `\`${call.tool.name}\` has asked ${ROUND_LIMIT} times and got no answer that fits.`,
  );
}

function toCall(version: Version, tool: Tool, { arguments: input = {}, _meta }: Params, exchange: Exchange): Call {
  const { principal, origin, signal, send, logLevel } = exchange;
  const meta = _meta as { progressToken?: unknown; "cairn/idempotency_key"?: unknown } | undefined;
  const token = meta?.progressToken;
  const idempotencyKey = readIdempotencyKey(exchange.idempotencyKey, meta?.["cairn/idempotency_key"]);
  const wantsProgress = typeof token === "string" || typeof token === "number";
  let last = Number.NEGATIVE_INFINITY;
  return {
    version,
    tool,
    input,
    principal,
    ...(origin === undefined ? {} : { origin: withTraceOf(origin, _meta) }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(signal === undefined ? {} : { signal }),
    ...(logLevel === undefined
      ? {}
      : {
          onLog: ({ level, message, data }) => {
            if (!reaches(level, logLevel)) return;
            const line = data === undefined ? message : { message, data };
            send(writeNotification("notifications/message", { level, logger: tool.name, data: line }));
          },
        }),
    ...(wantsProgress
      ? {
          onProgress: (report) => {
            // MCP wants each report to be further than the one before.
            if (report.progress <= last) return;
            last = report.progress;
            send(writeNotification("notifications/progress", { progressToken: token, ...report }));
          },
        }
      : {}),
  };
}

function toDefinition(tool: Tool) {
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: describeTool(tool),
    inputSchema: tool.input,
    outputSchema: tool.output,
    annotations: {
      readOnlyHint: !tool.sideEffect,
      idempotentHint: tool.idempotent,
      openWorldHint: isOpenWorld(tool),
    },
    _meta: {
      "cairn/version": tool.version,
      ...toApprovals(tool),
      ...(tool.deprecated === undefined ? {} : { "cairn/deprecated": showDeprecation(tool.deprecated) }),
      ...(tool.examples.length > 0 ? { "cairn/examples": tool.examples } : {}),
    },
  };
}

/** One approval as it is, which is what most tools have; several, by policies, as a list. */
function toApprovals({ approvals }: Tool) {
  const [approval, ...others] = approvals.map(({ when, by, expiresSeconds }) => ({ when, by, expiresSeconds }));
  if (approval === undefined) return {};
  return { "cairn/approval": others.length === 0 ? approval : [approval, ...others] };
}

/** As text, because the output is needed twice and need be written once only. */
function toSuccess(
  { output, outputText: json = JSON.stringify(output), content, conversationId, logsUri }: Result & { ok: true },
  metaMember?: string,
): Serialised {
  const shown = content === undefined ? `[{"type":"text","text":${JSON.stringify(json)}}]` : JSON.stringify(content);
  const handle = `"cairn/conversation_id":"${conversationId}","cairn/logs_uri":"${logsUri}"`;
  const modern = metaMember === undefined ? ["", ""] : [`"resultType":"complete",`, `,${metaMember}`];
  return serialise(`{${modern[0]}"content":${shown},"structuredContent":${json},"_meta":{${handle}${modern[1]}}}`);
}

function toFailure({ error, conversationId, logsUri }: Result & { ok: false }) {
  // Not as structuredContent: clients check that against the tool's output schema and would report a schema error instead.
  const { content, shown } = toErrorContent(error);
  const waits = error.name === "APPROVAL_REQUIRED" ? { "cairn/approval": error.details } : {};
  return {
    content,
    isError: true,
    _meta: { "cairn/conversation_id": conversationId, "cairn/logs_uri": logsUri, "cairn/error": shown, ...waits },
  };
}

/** The content of a failed call: what an upstream itself said of its error, and the error as JSON of any other. */
function toErrorContent(error: ErrorBody): { readonly content: unknown; readonly shown: ErrorBody } {
  const { details, ...shown } = error;
  if (error.name === "UPSTREAM_TOOL_ERROR" && isObject(details) && Array.isArray(details["content"])) {
    return { content: details["content"], shown };
  }
  return { content: [{ type: "text", text: JSON.stringify(error) }], shown: error };
}
