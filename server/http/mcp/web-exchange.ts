import { ServerResponse } from "node:http";
import { sendNodeResponse } from "srvx/node";
import { toCorsHeaders } from "../cors.ts";
import type { HttpRequest, HttpResponse } from "../front/exchange.ts";
import type { McpAddress } from "./address.ts";

/** Converts a request for the SDK's transport, which gets the body apart. */
export function toWebRequest({ method = "GET", headers }: HttpRequest, { path }: McpAddress): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  // The transport wants both types spelled out, which `*/*` only implies.
  const accept: [string, string] = ["accept", "application/json, text/event-stream"];
  return new Request(`http://localhost${path}`, {
    method,
    headers: [...pairs.filter(([name]) => name !== "accept"), accept],
  });
}

/** Sends what the transport answered, with the headers of the address; `onStream` is called before a stream begins. */
export async function sendResponse(
  request: HttpRequest,
  response: HttpResponse,
  answered: Response,
  address: McpAddress,
  onStream: () => void,
): Promise<void> {
  if (!(response instanceof ServerResponse)) throw new TypeError("Sessions are answered through node:http only.");
  if (answered.headers.get("content-type")?.startsWith("text/event-stream") === true) onStream();
  const headers = [...address.headers, ...toCorsHeaders(request.headers.origin)];
  for (let at = 0; at < headers.length; at += 2) answered.headers.set(headers[at] ?? "", headers[at + 1] ?? "");
  await sendNodeResponse(response, answered);
}
