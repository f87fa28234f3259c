import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  type CallToolResult,
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import type { Definition } from "../../server/semver/surfaces/surface.ts";
import type { AtEnd } from "../helpers/temporary.ts";

/** MCP server of the official SDK over HTTP on loopback. */
export interface McpUpstream {
  readonly url: string;
  /** `url` without its path. */
  readonly origin: string;
  /** Definitions by name; a test may give others while it runs. */
  tools: Readonly<Record<string, Definition>>;
  /** Names of the tools that were called. */
  readonly called: string[];
  /** Forgets all sessions, as a new process of it would. */
  restart(): void;
}

/** Part of what the SDK gives to the handler of a call: what ends it, and a way to ask the client in the middle of it. */
export type CallExtra = Pick<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  "signal" | "sendRequest" | "sendNotification"
>;

export type AnswerCall = (tool: string, extra: CallExtra) => Promise<CallToolResult>;

/**
 * Starts a server with sessions. Each call answers with `{ text: "<tool> <path of the input>" }`, or with what `answer` gives, and
 * then in a stream of events.
 */
export async function startMcpUpstream(
  tools: McpUpstream["tools"],
  atEnd: AtEnd = onTestFinished,
  answer?: AnswerCall,
): Promise<McpUpstream> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const transport = id === undefined ? await openSession(upstream, sessions, answer) : sessions.get(String(id));
    if (transport !== undefined) return transport.handleRequest(request, response);
    const error = { code: -32_001, message: "Session not found" };
    return response.writeHead(404).end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream: McpUpstream = { url: `${origin}/mcp`, origin, tools, called: [], restart: () => sessions.clear() };
  return upstream;
}

async function openSession(
  upstream: McpUpstream,
  sessions: Map<string, StreamableHTTPServerTransport>,
  answer: AnswerCall | undefined,
) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    enableJsonResponse: answer === undefined,
  });
  await createMcp(upstream, answer).connect(transport as Parameters<Server["connect"]>[0]);
  return transport;
}

function createMcp(upstream: McpUpstream, answer: AnswerCall | undefined): Server {
  const mcp = new Server({ name: "Team Files", version: "2.1.0" }, { capabilities: { tools: {}, logging: {} } });
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(upstream.tools).map(([name, tool]) => ({ name, ...tool }) as Tool),
  }));
  mcp.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    upstream.called.push(params.name);
    if (answer !== undefined) return answer(params.name, extra);
    const text = `${params.name} ${String(params.arguments?.["path"])}`;
    return { content: [{ type: "text", text }], structuredContent: { text } };
  });
  return mcp;
}
