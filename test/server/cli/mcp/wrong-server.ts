import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage["headers"];
}

/** Reply to one request: a status, a type of content, and a body. */
export type Reply = Partial<{ status: number; type: string; headers: Record<string, string>; body: string }>;
/** Result of a method, or how to answer it otherwise. */
export type Answers = (asked: Asked) => object | { readonly reply: Reply } | "never";

/** Greets clients as a server with tools, prompts and resources. */
export const GREETING = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: "wrong", version: "1.0.0" },
};
export const EMPTY = { tools: [], prompts: [], resources: [], resourceTemplates: [] };

/** Starts an MCP server over HTTP that answers as it is given, right or wrong. */
export async function startWrongServer(answers: Answers): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    if (request.method === "DELETE") return response.end();
    const { id, method, params = {} } = JSON.parse(text) as { id?: number; method: string; params?: Asked["params"] };
    asked.push({ method, params, headers: request.headers });
    if (id === undefined) return response.writeHead(202).end();
    const answer = answers({ method, params, headers: request.headers });
    if (answer === "never") return undefined;
    const {
      status = 200,
      type = "application/json",
      headers = {},
      body,
    } = "reply" in answer ? (answer.reply as Reply) : {};
    response.writeHead(status, { "content-type": type, ...headers });
    return response.end(body ?? JSON.stringify({ jsonrpc: "2.0", id, result: answer }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked };
}
