import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";

/** Answer to a JSON-RPC request: one of the two. */
export interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Connection to one MCP server, which carries one request at a time. */
export interface McpConnection {
  /** Name of the server in errors: its command or address. */
  readonly label: string;
  /** Sends a request. Rejects with UNAVAILABLE when no answer can come, and UPSTREAM_ERROR for one that is none. */
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer>;
  notify(method: string): Promise<void>;
  /** Says which revision was agreed on, which requests over HTTP repeat. */
  agree(protocol: string): void;
  close(): Promise<void>;
}

/** Bytes that one server may send in all: what a list of 20,000 tools takes, and far below what a process can hold. */
const BYTE_LIMIT = 64 * 2 ** 20;

/** Passes on what a server sends, until it is too much. @throws UPSTREAM_ERROR then, so that none fills the memory. */
export function createMeter(label: string): (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  let left = BYTE_LIMIT;
  return async function* meter(chunks) {
    for await (const chunk of chunks) {
      left -= chunk.byteLength;
      if (left < 0) throw new CairnError("UPSTREAM_ERROR", `\`${label}\` sent more than ${BYTE_LIMIT} bytes.`);
      yield chunk;
    }
  };
}

export type Message = Readonly<Record<string, unknown>>;

/** Reads a message of JSON-RPC; undefined for anything else, which servers print by mistake. */
export function findMessage(text: string): Message | undefined {
  try {
    const value = readJson(text);
    return isObject(value) && value["jsonrpc"] === "2.0" ? value : undefined;
  } catch {
    // No JSON.
    return undefined;
  }
}

/** Reads the answer to the request `id`; undefined for other messages. */
export function findAnswer(message: Message, id: number): Answer | undefined {
  const { result, error } = message;
  if (message["id"] !== id || "method" in message) return undefined;
  if (isObject(result)) return { result };
  const { code, message: said } = isObject(error) ? error : {};
  return { error: { code: Number(code), message: typeof said === "string" ? said : "it does not say why" } };
}

/** Writes the reply to a request of the server: it may ask whether we live, and nothing else. */
export function toReply({ id, method }: Message): Message | undefined {
  if (typeof method !== "string" || id === undefined) return undefined;
  const error = { code: -32601, message: "This client only reads lists." };
  return { jsonrpc: "2.0", id, ...(method === "ping" ? { result: {} } : { error }) };
}
