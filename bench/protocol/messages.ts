import { KEEPING_TOOL } from "./agent-repository.ts";
import { ACCEPT, type Contender } from "./contenders.ts";
import { INPUT, toToolName } from "./contract.ts";
import { KEY, type PlannedRequest } from "./load/plan.ts";
import type { Running } from "./start.ts";

/** What each request of a client says about itself. */
export interface Dialect {
  readonly contender: Contender;
  readonly sessionId?: string;
  readonly token?: string;
}

const CLIENT = { name: "bench", version: "1.0.0" };

/** One MCP request in the dialect that a contender speaks. */
export function toRequest(
  { contender, sessionId, token }: Dialect,
  method: string,
  params: Readonly<Record<string, unknown>>,
): PlannedRequest {
  const { protocol, accept = ACCEPT } = contender;
  const modern = protocol === "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": protocol,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    headers: {
      "content-type": "application/json",
      accept,
      "mcp-protocol-version": protocol,
      ...(sessionId === undefined ? {} : { "mcp-session-id": sessionId }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(modern ? { "mcp-method": method } : {}),
      ...(modern && typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: modern ? { ...params, _meta: meta } : params }),
  };
}

/** The call that is measured: of the last tool, which is the worst one for whoever looks through a list. */
export function toCallRequest(dialect: Dialect, tools: number): PlannedRequest {
  const { effects = false } = dialect.contender;
  return toRequest(dialect, "tools/call", {
    name: effects ? KEEPING_TOOL : toToolName(tools - 1),
    arguments: effects ? { ...INPUT, label: KEY } : INPUT,
  });
}

/** Begins a session where the contender wants one. */
export async function openDialect({ contender, url, token }: Running): Promise<Dialect> {
  if (contender.session !== true) return { contender, ...(token === undefined ? {} : { token }) };
  const params = { protocolVersion: contender.protocol, capabilities: {}, clientInfo: CLIENT };
  const answer = await post(url, toRequest({ contender }, "initialize", params));
  const sessionId = answer.headers.get("mcp-session-id");
  if (sessionId === null) throw new Error(`${contender.name} began no session: ${answer.text.slice(0, 300)}`);
  return { contender, sessionId };
}

/** Sends one request and returns the JSON-RPC message that comes back, be it as JSON or as an event. */
export async function ask(url: string, request: PlannedRequest): Promise<Readonly<Record<string, unknown>>> {
  const { text } = await post(url, request);
  const [, data = text] = /^data: ?(\{.*)$/m.exec(text) ?? [];
  try {
    return JSON.parse(data) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new Error(`No JSON came back: ${text.slice(0, 300)}`, { cause });
  }
}

async function post(url: string, { path, headers, body }: PlannedRequest) {
  const response = await fetch(new URL(path ?? url, url), {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(30_000),
  });
  return { headers: response.headers, text: await response.text() };
}
