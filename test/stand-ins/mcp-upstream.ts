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
}

/** Starts a server without sessions. Each call answers with `{ text: "<tool> <path of the input>" }`. */
export async function startMcpUpstream(
  tools: McpUpstream["tools"],
  atEnd: AtEnd = onTestFinished,
): Promise<McpUpstream> {
  const server = createServer(async (request, response) => {
    const mcp = createMcp(upstream);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once("close", () => void mcp.close());
    await mcp.connect(transport as Parameters<Server["connect"]>[0]);
    await transport.handleRequest(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream: McpUpstream = { url: `${origin}/mcp`, origin, tools, called: [] };
  return upstream;
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
