import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { RequestId } from "../../protocol/json-rpc.ts";
import { PROTOCOL_VERSION } from "../../capabilities/mcp/client/revisions.ts";
import { readStrictJson } from "../../json/strict-json.ts";

/** A message from the client, as far as the bridge has to understand it. */
export interface ClientMessage {
  /** Text to forward, as it came. */
  readonly text: string;
  /** Absent: it answers a request of the server. */
  readonly method?: string;
  /** Absent: nobody waits for an answer. */
  readonly id?: RequestId;
  readonly params: Readonly<Record<string, unknown>>;
  /** The protocol's revision, where the message says it itself: since 2026-07-28. */
  readonly revision?: string;
}

/** A message from the server. */
export interface ServerMessage {
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Absent from requests, notifications, and errors of messages that the server could not read. */
  readonly answers?: RequestId;
  readonly isError: boolean;
}

/** The messages of one line: one, or those of a batch, which revision 2025-03-26 had. */
export function readClientMessages(line: string): readonly ClientMessage[] {
  const value = parse(line);
  if (value === undefined) throw new CairnError("PARSE_ERROR", "The line is not well-formed JSON.");
  // They are written anew, which `1e999`, read without care, would not survive.
  if (Array.isArray(value)) {
    return (readStrictJson(line) as unknown[]).map((item) => toClientMessage(item, JSON.stringify(item)));
  }
  return [toClientMessage(value, line.trim())];
}

/** The message that `text` is, on one line; nothing where it is none. */
export function findServerMessage(text: string): ServerMessage | undefined {
  const body = parse(text);
  if (!isObject(body) || body["jsonrpc"] !== "2.0") return undefined;
  const { id, method } = body;
  const isAnswer = typeof method !== "string";
  return {
    // Within a JSON string a line break is written as `\n`, so these stand between its parts.
    text: text.trim().replace(/[\r\n]+/g, " "),
    body,
    ...(isAnswer && isId(id) ? { answers: id } : {}),
    isError: isAnswer && isObject(body["error"]),
  };
}

/** The line that answers a request with an error; without an id where the request could not be read. */
export function toErrorLine(id: RequestId | undefined, { name, message, row }: CairnError): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code: row.jsonRpc, message, data: { code: row.number, name } },
  });
}

function toClientMessage(value: unknown, text: string): ClientMessage {
  if (!isObject(value)) throw new CairnError("INVALID_REQUEST", "A message must be a JSON object.");
  const { id, method } = value;
  const params = isObject(value["params"]) ? value["params"] : {};
  const meta = params["_meta"];
  const revision = isObject(meta) ? meta[PROTOCOL_VERSION] : undefined;
  return {
    text,
    params,
    ...(typeof method === "string" ? { method } : {}),
    ...(isId(id) ? { id } : {}),
    ...(typeof revision === "string" ? { revision } : {}),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // There is no `undefined` in JSON.
    return undefined;
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
