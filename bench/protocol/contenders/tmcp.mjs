/** tmcp with its HTTP transport on srvx, as its documentation shows. It always answers with SSE. */
import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { HttpTransport } from "@tmcp/transport-http";
import { serve } from "srvx";
import { McpServer } from "tmcp";
import { DESCRIPTION, add, toResult } from "../contract.ts";
import { INFO, TOOL_NAMES, announce } from "./surroundings.mjs";
import { ZOD_INPUT, ZOD_OUTPUT } from "./zod-contract.mjs";

const server = new McpServer(INFO, { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } });
for (const name of TOOL_NAMES) {
  server.tool({ name, description: DESCRIPTION, schema: ZOD_INPUT, outputSchema: ZOD_OUTPUT }, (input) =>
    toResult(add(input)),
  );
}

const transport = new HttpTransport(server, { path: "/mcp" });
const http = serve({
  port: 0,
  hostname: "127.0.0.1",
  silent: true,
  fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
});
await http.ready();
announce(new URL(http.url).port);
