import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { connectUrl } from "../../../../../server/capabilities/mcp/client/connect-url.ts";

/** Server that answers every request in a stream of events, which `end` ends. */
async function openStreaming(end: (response: ServerResponse) => void) {
  let connections = 0;
  const server = createServer(async (request, response) => {
    const { id } = JSON.parse(await text(request)) as { id: number };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { id } })}\n\n`);
    end(response);
  });
  server.on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const connection = connectUrl(url, { headers: {}, signal: new AbortController().signal, fetch, hint: "" });
  return { connection, connections: () => connections };
}

test("uses connections again whose stream ends a moment after its answer", async () => {
  let answered: ServerResponse | undefined;
  const { connection, connections } = await openStreaming((response) => {
    answered?.end();
    answered = response;
  });
  for (let id = 1; id <= 20; id += 1) {
    expect(await connection.request("tools/call", {})).toEqual({ result: { id } });
  }
  expect(connections()).toBeLessThan(10);
});

test("breaks off a stream that does not end after its answer, and has answered long before", async () => {
  const closed = Promise.withResolvers<boolean>();
  let isAnswered = false;
  const { connection } = await openStreaming((response) => response.once("close", () => closed.resolve(isAnswered)));
  expect(await connection.request("tools/call", {})).toEqual({ result: { id: 1 } });
  isAnswered = true;
  expect(await closed.promise).toBe(true);
});
