import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes an answer, with an `ETag` where it was read; true if the asker has it already and got 304. */
export function writeText(request: IncomingMessage, response: ServerResponse, answer: Answer): boolean {
  const { status, text, headers } = answer;
  const isRead = request.method === "GET" && status === 200;
  const etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
  const isSame = isRead && request.headers["if-none-match"] === etag;
  const tagged = { ...headers, ...(isRead && { etag }) };
  if (isSame) response.writeHead(304, tagged).end();
  else if (text === "") response.writeHead(status, tagged).end();
  else response.writeHead(status, { ...tagged, "content-type": "application/json; charset=utf-8" }).end(text);
  return isSame;
}
