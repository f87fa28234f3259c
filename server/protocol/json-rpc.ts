import { CairnError, ERRORS, type ErrorBody } from "../errors.ts";

/** JSON-RPC 2.0 as MCP narrows it: ids are strings or integers, never null. */
export type RequestId = string | number;

export type Params = Readonly<Record<string, unknown>>;

export type Message =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: "notification"; readonly method: string; readonly params: Params }
  | { readonly kind: "response"; readonly id: RequestId };

const serialised = Symbol("serialised");

/** A result that was turned into JSON earlier, once for many requests. */
export interface Serialised {
  readonly [serialised]: string;
}

export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) {
    throw new CairnError("INVALID_REQUEST", "Batches are not supported; send each message in a request of its own.");
  }
  const { jsonrpc, id, method, params = {} } = toRecord(value, "The body");
  if (jsonrpc !== "2.0") throw new CairnError("INVALID_REQUEST", '`jsonrpc` must be "2.0".');
  if (id !== undefined && typeof id !== "string" && !Number.isSafeInteger(id)) {
    throw new CairnError("INVALID_REQUEST", "`id` must be a string or an integer.");
  }
  if (method === undefined && id !== undefined) return { kind: "response", id: id as RequestId };
  if (typeof method !== "string") throw new CairnError("INVALID_REQUEST", "`method` must be a string.");
  const object = toRecord(params, "`params`");
  return id === undefined
    ? { kind: "notification", method, params: object }
    : { kind: "request", id: id as RequestId, method, params: object };
}

export function writeResult(id: RequestId, result: unknown): string {
  const json = isSerialised(result) ? result[serialised] : JSON.stringify(result);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;
}

/** The error's JSON-RPC code, or with `dual` its own number, as servers with `errors: protocol` answer. */
export function writeError(id: RequestId | null, body: ErrorBody, dual = false): string {
  const { message, ...data } = body;
  const code = dual ? body.code : ERRORS[body.name].jsonRpc;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

export function serialise(result: unknown): Serialised {
  return { [serialised]: JSON.stringify(result) };
}

function isSerialised(result: unknown): result is Serialised {
  return typeof result === "object" && result !== null && serialised in result;
}

function toRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CairnError("INVALID_REQUEST", `${what} must be a JSON object.`);
  }
  return value as Record<string, unknown>;
}
