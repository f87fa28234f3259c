/**
 * What serving one version takes without Cairn: a process for it alone, with the official SDK as its examples show, the
 * handler in the same process, and no isolation, record or registry. The other side of `bench/open-versions.ts`.
 */
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [handlerPath = "", name = ""] = process.argv.slice(2);
const { default: run } = (await import(pathToFileURL(handlerPath).href)) as { default: (input: unknown) => object };
const tool = { name, description: "One tool.", inputSchema: { type: "object" as const } };

const http = createServer((request, response) => {
  const server = new Server({ name: "lean", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(run(params.arguments ?? {})) }],
  }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  void server
    .connect(transport as Parameters<Server["connect"]>[0])
    .then(() => transport.handleRequest(request, response));
});
http.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify(http.address())}\n`));
