import type { Answer } from "../../protocol/json-rpc.ts";
import type { HttpResponse } from "../front/exchange.ts";

/** Milliseconds between signs of life on a stream, for proxies that close what is quiet. */
const KEEP_ALIVE_MS = 15_000;
/** Bytes that a client may leave unread before it is taken to be gone. */
const UNREAD_LIMIT = 4 * 1024 * 1024;

const STREAM_HEADERS = [
  "content-type",
  "text/event-stream",
  "cache-control",
  "no-cache, no-transform",
  // Proxies such as nginx would otherwise hold events back.
  "x-accel-buffering",
  "no",
];

/** Answer to a client: one JSON body or, once an event precedes the answer, a stream of events. */
export interface McpReply {
  /** Sends a message ahead of the answer. */
  notify(message: string): void;
  /** Ends with the answer; with nothing, 202. */
  finish(answer: Answer | undefined): void;
}

/** `headers` are names and values in turn; `onStream` is told when the answer becomes a stream. */
export function createMcpReply(
  response: HttpResponse,
  headers: readonly string[],
  onStream: () => void = () => undefined,
): McpReply {
  let keepAlive: NodeJS.Timeout | undefined;
  let streaming = false;

  const write = (text: string) => {
    if (response.destroyed) return;
    response.write(text);
    if (response.writableLength > UNREAD_LIMIT) response.destroy();
  };

  return {
    notify(message) {
      if (response.writableEnded || response.destroyed) return;
      if (!streaming) {
        streaming = true;
        onStream();
        response.writeHead(200, [...headers, ...STREAM_HEADERS]);
        keepAlive = setInterval(() => write(":\n\n"), KEEP_ALIVE_MS).unref();
        response.once("close", () => clearInterval(keepAlive));
      }
      write(toEvent(message));
    },
    finish(answer) {
      if (response.writableEnded || response.destroyed) return;
      if (streaming) {
        response.end(answer === undefined ? "" : toEvent(join(answer.pieces)));
      } else if (answer === undefined) {
        response.writeHead(202, [...headers, "content-length", "0"]).end();
      } else {
        finishWithJson(response, headers, answer);
      }
    },
  };
}

function finishWithJson(response: HttpResponse, headers: readonly string[], { status, pieces }: Answer): void {
  let length = 0;
  for (const piece of pieces) length += Buffer.byteLength(piece);
  response.writeHead(status, [...headers, "content-type", "application/json", "content-length", String(length)]);
  const last = pieces.length - 1;
  if (last > 0) response.cork();
  for (let at = 0; at < last; at += 1) response.write(pieces[at] ?? "");
  response.end(pieces[last]);
}

/** JSON text has no line breaks outside of strings, and there they are escaped. */
function toEvent(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}

function join(pieces: readonly (string | Buffer)[]): string {
  return pieces.map(String).join("");
}
