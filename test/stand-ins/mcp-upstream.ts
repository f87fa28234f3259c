import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";
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

/** Starts a server with sessions. Each call answers with `{ text: "<tool> <path of the input>" }`. */
export async function startMcpUpstream(
  tools: McpUpstream["tools"],
  atEnd: AtEnd = onTestFinished,
): Promise<McpUpstream> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const transport = id === undefined ? await openSession(upstream, sessions) : sessions.get(String(id));
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

async function openSession(upstream: McpUpstream, sessions: Map<string, StreamableHTTPServerTransport>) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    enableJsonResponse: true,
  });
  await createMcp(upstream).connect(transport as Parameters<Server["connect"]>[0]);
  return transport;
}

function createMcp(upstream: McpUpstream): Server {
  const mcp = new Server({ name: "Team Files", version: "2.1.0" }, { capabilities: { tools: {} } });
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(upstream.tools).map(([name, tool]) => ({ name, ...tool }) as Tool),
  }));
  mcp.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    upstream.called.push(params.name);
    const text = `${params.name} ${String(params.arguments?.["path"])}`;
    return { content: [{ type: "text", text }], structuredContent: { text } };
  });
  return mcp;
}
