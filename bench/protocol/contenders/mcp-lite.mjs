/** mcp-lite without sessions, in Hono, as its documentation shows. It answers with SSE whoever accepts that. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { McpServer, StreamableHttpTransport } from "mcp-lite";
import { z } from "zod";
import { DESCRIPTION, add, toResult } from "../contract.ts";
import { INFO, TOOL_NAMES, announce } from "./surroundings.mjs";
import { ZOD_INPUT, ZOD_OUTPUT } from "./zod-contract.mjs";

const server = new McpServer({ ...INFO, schemaAdapter: (schema) => z.toJSONSchema(schema) });
for (const name of TOOL_NAMES) {
  server.tool(name, {
    description: DESCRIPTION,
    inputSchema: ZOD_INPUT,
    outputSchema: ZOD_OUTPUT,
    handler: (input) => toResult(add(input)),
  });
}

const handle = new StreamableHttpTransport().bind(server);
const app = new Hono();
app.all("/mcp", (context) => handle(context.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => announce(port));
