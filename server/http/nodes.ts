import type { IncomingMessage, ServerResponse } from "node:http";
import { CairnError, errorRow, toErrorBody } from "../errors.ts";
import { NODE_HEADER, toBodyDigest } from "../instance/node-token.ts";
import type { Nodes } from "../instance/nodes.ts";
import type { Json } from "../json/types.ts";
import { readBytes } from "./body.ts";
import type { HttpRequest } from "./front/exchange.ts";

/** Answers what another node, `from`, asks of this one; `signal` aborts when that waits no more. */
export type NodeOperation = (body: Json, from: string, signal: AbortSignal) => Promise<Json>;

/** Prefix of the paths that are for nodes alone. */
const PREFIX = "/nodes/";
/** Milliseconds between signs of life, blanks before the answer: a client gives up on a connection that is silent for minutes. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Creates the listener for what nodes ask each other: `POST /nodes/<operation>` with JSON. Clients learn nothing by asking.
 * Tells whether it takes the request.
 */
export function createNodeListener(
  nodes: Nodes,
  operations: Readonly<Record<string, NodeOperation>>,
  createId: () => string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  async function answer(request: IncomingMessage, signal: AbortSignal): Promise<Json> {
    const { method = "", url: path = "", headers } = request;
    const token = headers[NODE_HEADER];
    const sender = typeof token === "string" ? nodes.findSender({ method, path, token }) : undefined;
    if (sender === undefined) throw new CairnError("UNAUTHENTICATED", "Only nodes of this service are answered here.");
    const name = path.slice(PREFIX.length);
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (operation === undefined || method !== "POST") {
      throw new CairnError("NOT_FOUND", `This release of Cairn knows no \`${path}\` of nodes.`);
    }
    const body = await readSentBytes(request, sender);
    return operation(JSON.parse(body.toString()) as Json, sender.from, signal);
  }

  return (request, response) => {
    if (request.url?.startsWith(PREFIX) !== true) return false;
    const gone = new AbortController();
    const keepAlive = setInterval(() => send(response, 200, " "), KEEP_ALIVE_MS).unref();
    response.once("close", () => {
      clearInterval(keepAlive);
      gone.abort();
    });
    answer(request, gone.signal).then(
      (result) => send(response, 200, JSON.stringify(result)).end(),
      (error: unknown) => {
        // What has begun as an answer cannot end as an error.
        if (response.headersSent) response.destroy();
        else send(response, errorRow(error).status, JSON.stringify(toErrorBody(error, createId()))).end();
      },
    );
    return true;
  };
}

/** Reads the body of a request that says a node has sent it. @throws UNAUTHENTICATED for another body than that node's */
export async function readSentBytes(
  request: HttpRequest,
  sender: { readonly digest: string } | undefined,
): Promise<Buffer> {
  const body = await readBytes(request);
  if (toBodyDigest(body) === sender?.digest) return body;
  throw new CairnError("UNAUTHENTICATED", "The body is not the node's.");
}

function send(response: ServerResponse, status: number, text: string): ServerResponse {
  if (!response.headersSent) {
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  }
  response.write(text);
  return response;
}
