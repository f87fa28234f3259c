import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import { readJson } from "../../../json/read-json.ts";

/** Answer to a JSON-RPC request: one of the two. */
export interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RequestOptions {
  /** Gives the request up: the server is told so, and the promise rejects with CANCELLED. */
  readonly signal?: AbortSignal;
  /** Takes the notifications that arrive while the server works on the request. */
  readonly onNotification?: OnNotification;
}

export type OnNotification = (method: string, params: Readonly<Record<string, unknown>>) => void;

/** Connection to one MCP server, which carries any number of requests at once. */
export interface McpConnection {
  /** Name of the server in errors: its command or address. */
  readonly label: string;
  /** Sends a request. Rejects with UNAVAILABLE when no answer can come, and UPSTREAM_ERROR for one that is none. */
  request(method: string, params: Readonly<Record<string, unknown>>, options?: RequestOptions): Promise<Answer>;
  /** Takes out of a value what was taken out of all that the server says: its credentials. Absent: nothing was. */
  readonly maskValue?: <Value>(value: Value) => Value;
  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Says which revision was agreed on, which requests over HTTP repeat. */
  agree(protocol: string): void;
  /** False once no request can be answered any more. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** Bytes of one message: what a list of 20,000 tools takes, and far below what a process can hold. */
export const MESSAGE_LIMIT = 64 * 2 ** 20;
const LINE_FEED = 10;

/**
 * Passes on what a server sends, until a line of it is too long. @throws UPSTREAM_ERROR then, so that none fills the memory.
 * `isWhole`: all of it together counts as one line.
 */
export async function* meter(
  label: string,
  chunks: AsyncIterable<Uint8Array>,
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    const end = isWhole ? -1 : chunk.lastIndexOf(LINE_FEED);
    size = end === -1 ? size + chunk.byteLength : chunk.byteLength - end - 1;
    if (size > limit || chunk.byteLength > limit) {
      throw new CairnError("UPSTREAM_ERROR", `\`${label}\` sent more than ${limit} bytes.`);
    }
    yield chunk;
  }
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

/** Reads a notification; undefined for other messages. */
export function findNotification({ id, method, params }: Message): Parameters<OnNotification> | undefined {
  if (typeof method !== "string" || id !== undefined) return undefined;
  return [method, isObject(params) ? params : {}];
}

/** Writes the reply to a request of the server: it may ask whether we live, and nothing else. */
export function toReply({ id, method }: Message): Message | undefined {
  if (typeof method !== "string" || id === undefined) return undefined;
  const error = { code: -32601, message: `This client takes no \`${method.slice(0, 100)}\`.` };
  return { jsonrpc: "2.0", id, ...(method === "ping" ? { result: {} } : { error }) };
}
