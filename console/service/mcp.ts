import { createParser } from "eventsource-parser";
import { ServiceError, send } from "./request.ts";
import { type RpcError, toRpcProblem } from "./rpc-problem.ts";

/** The revision whose requests each stand alone. */
const REVISION = "2026-07-28";
const TYPES = "application/json, text/event-stream";
/** Questions that a page can be asked: forms for its reader. */
const CAPABILITIES = { elicitation: { form: {} } };

export interface McpRequest {
  readonly version: string;
  readonly server: string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** More headers: arguments that a tool wants repeated. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Is given each notification that precedes the result. */
  readonly onNotification?: (method: string, params: Readonly<Record<string, unknown>>) => void;
  readonly signal?: AbortSignal;
}

interface Message {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** Asks an MCP server of a version, and reads its answer as it comes. Rejects with `ServiceError` where it refuses. */
export async function askMcp<Result>(request: McpRequest): Promise<Result> {
  const { version, server, method, params = {}, headers = {}, onNotification, signal } = request;
  const { name } = params;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
    "io.modelcontextprotocol/clientInfo": { name: "cairn-console", version: "1" },
    ...(onNotification === undefined ? {} : { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" }),
  };
  const response = await send(`/agent/${encodeURIComponent(version)}/${encodeURIComponent(server)}`, {
    method: "POST",
    body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } },
    headers: {
      accept: TYPES,
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": encodeHeader(name) } : {}),
      ...headers,
    },
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const message of readMessages(response)) {
    if (message.error !== undefined) throw new ServiceError(toRpcProblem(message.error, response.status));
    if (message.result !== undefined) return message.result as Result;
    if (message.method !== undefined) onNotification?.(message.method, message.params ?? {});
  }
  throw new Error("The answer ended before its result.");
}

/** Writes a value as a header can carry it: visible characters as they are, all else in base64. */
export function encodeHeader(value: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?")) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""))}?=`;
}

async function* readMessages(response: Response): AsyncGenerator<Message> {
  const { body, headers } = response;
  if (body === null || headers.get("content-type")?.includes("text/event-stream") !== true) {
    yield (await response.json()) as Message;
    return;
  }
  const waiting: Message[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      // A sign of life, or a beginning that only makes the stream resumable, has no data.
      if (data !== "") waiting.push(JSON.parse(data) as Message);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parser.feed(decoder.decode(part.value, { stream: true }));
    yield* waiting.splice(0);
  }
}
