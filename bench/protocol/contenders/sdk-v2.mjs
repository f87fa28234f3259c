/** The official SDK, version 2: `createMcpHandler` on `node:http`. It answers 2026-07-28 with JSON, and older eras with SSE. */
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
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

const handle = toNodeHandler(createMcpHandler(buildServer, { responseMode: "json" }));
const hasGoodHost = localhostHostValidation();
const hasGoodOrigin = localhostOriginValidation();
listen(
  createServer((request, response) => {
    if (hasGoodHost(request, response) && hasGoodOrigin(request, response)) void handle(request, response);
  }),
);
