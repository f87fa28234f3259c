import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface StandInRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly id?: unknown; readonly method?: string };
  readonly response: ServerResponse;
}

/** Ways to answer. */
export interface Reply {
  json(message: object, status?: number): void;
  accept(): void;
  refuse(status: number): void;
  /** One more event of a stream that stays open. */
  event(data: object | string, fields?: Readonly<Record<string, string>>): Reply;
  end(): void;
  /** Ends the connection, but not the stream. */
  break(): void;
}

/** An MCP server that answers as a test wants it to, and remembers what it was asked. */
export async function startServer(handle: (request: StandInRequest, reply: Reply) => void) {
  const requests: StandInRequest[] = [];
  const http = createServer((incoming, response) => {
    void readRequest(incoming, response).then((request) => {
      requests.push(request);
      handle(request, createReply(response));
    });
  });
  const listen = (port: number) => once(http.listen(port, "127.0.0.1"), "listening");
  await listen(0);
  const { port } = http.address() as AddressInfo;
  const close = async () => {
    http.closeAllConnections();
    if (http.listening) await once(http.close(), "close");
  };
  onTestFinished(close);
  return { http, requests, url: `http://127.0.0.1:${port}/agent/1.0.0/runner`, close, reopen: () => listen(port) };
}

async function readRequest(incoming: IncomingMessage, response: ServerResponse): Promise<StandInRequest> {
  const text = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString();
  const { method = "", headers } = incoming;
  return { method, headers, text, body: JSON.parse(text || "{}") as StandInRequest["body"], response };
}

function createReply(response: ServerResponse): Reply {
  const reply: Reply = {
    json: (message, status = 200) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(message)),
    accept: () => void response.writeHead(202).end(),
    refuse: (status) => void response.writeHead(status).end(),
    event(data, fields = {}) {
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
      response.write(`${lines.join("")}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
      return reply;
    },
    end: () => void response.end(),
    break: () => void response.write("", () => response.destroy()),
  };
  return reply;
}
