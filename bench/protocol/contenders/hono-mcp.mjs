/**
 * `@hono/mcp` with a server and a transport for each request. Its documentation shares one of each among all requests, and
 * then answers of simultaneous calls reach the wrong callers.
 */
import { StreamableHTTPTransport } from "@hono/mcp";
import { serve } from "@hono/node-server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Hono } from "hono";
import { DESCRIPTION, add, toResult } from "../contract.ts";
import { INFO, TOOL_NAMES, announce } from "./surroundings.mjs";
import { ZOD_INPUT, ZOD_OUTPUT } from "./zod-contract.mjs";

function buildServer() {
  const server = new McpServer(INFO);
  for (const name of TOOL_NAMES) {
    const definition = { description: DESCRIPTION, inputSchema: ZOD_INPUT, outputSchema: ZOD_OUTPUT };
    server.registerTool(name, definition, (input) => toResult(add(input)));
  }
  return server;
}

const app = new Hono();
app.all("/mcp", async (context) => {
  const transport = new StreamableHTTPTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  await buildServer().connect(transport);
  return transport.handleRequest(context);
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => announce(port));
