/** FastMCP without sessions, answering with JSON. */
import { createServer } from "node:http";
import { once } from "node:events";
import { FastMCP } from "fastmcp";
import { DESCRIPTION, add, toResult } from "../contract.ts";
import { INFO, TOOL_NAMES, announce } from "./surroundings.mjs";
import { ZOD_INPUT, ZOD_OUTPUT } from "./zod-contract.mjs";

const server = new FastMCP(INFO);
for (const name of TOOL_NAMES) {
  server.addTool({
    name,
    description: DESCRIPTION,
    parameters: ZOD_INPUT,
    outputSchema: ZOD_OUTPUT,
    execute: async (input) => toResult(add(input)),
  });
}

const port = await findFreePort();
await server.start({
  transportType: "httpStream",
  httpStream: { host: "127.0.0.1", port, endpoint: "/mcp", stateless: true, enableJsonResponse: true },
});
announce(port);

/** FastMCP does not say which port it took, so it is given one. */
async function findFreePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port: free } = probe.address();
  probe.close();
  await once(probe, "close");
  return free;
}
