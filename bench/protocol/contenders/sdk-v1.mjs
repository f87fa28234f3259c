/** The official SDK, version 1, as its stateless example has it: Express, a server and a transport for each request. */
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createServer } from "node:http";
import { DESCRIPTION, add, toResult } from "../contract.ts";
import { INFO, TOOL_NAMES, listen } from "./surroundings.mjs";
import { ZOD_INPUT, ZOD_OUTPUT } from "./zod-contract.mjs";

function buildServer() {
  const server = new McpServer(INFO);
  for (const name of TOOL_NAMES) {
    const definition = { description: DESCRIPTION, inputSchema: ZOD_INPUT, outputSchema: ZOD_OUTPUT };
    server.registerTool(name, definition, (input) => toResult(add(input)));
  }
  return server;
}

const app = createMcpExpressApp();
app.post("/mcp", async (request, response) => {
  const server = buildServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
});
listen(createServer(app));
