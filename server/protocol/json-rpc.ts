import { CairnError, ERRORS, type ErrorBody } from "../errors.ts";
import { isObject } from "../json/is-object.ts";

/** JSON-RPC 2.0 as MCP narrows it: ids are strings or integers, never null. */
export type RequestId = string | number;

export type Params = Readonly<Record<string, unknown>>;

export type Message =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: "notification"; readonly method: string; readonly params: Params }
  | { readonly kind: "response"; readonly id: RequestId; readonly result?: unknown; readonly error?: unknown };

/** Answer to a request: JSON text in pieces, so that large ones need not be copied, with its HTTP status. */
export interface Answer {
  readonly status: number;
  readonly pieces: readonly (string | Buffer)[];
}

const serialised = Symbol("serialised");

/** A result that is JSON text already. */
export interface Serialised {
  readonly [serialised]: string | Buffer;
}

/** Errors that MCP itself defines: they keep their code and status everywhere, and their details are the data. */
const PROTOCOL_ERRORS: ReadonlySet<number> = new Set([-32020, -32021, -32022]);
const METHOD_NOT_FOUND = -32601;
/** Revisions with a handshake have a code of its own for what is not found; later ones must not use it. */
const RESOURCE_NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;

/** Beginning of the methods that need no answer. */
const NOTIFICATIONS = "notifications/";

export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) {
    throw new CairnError("INVALID_REQUEST", "Batches are not supported; send each message in a request of its own.");
  }
  const { jsonrpc, id, method, params = {}, result, error } = toRecord(value, "The body");
  if (jsonrpc !== "2.0") throw new CairnError("INVALID_REQUEST", '`jsonrpc` must be "2.0".');
  if (id !== undefined && typeof id !== "string" && !Number.isSafeInteger(id)) {
    throw new CairnError("INVALID_REQUEST", "`id` must be a string or an integer.");
  }
  if (method === undefined && id !== undefined) {
    if (result === undefined && error === undefined) {
      throw new CairnError("INVALID_REQUEST", "A message has a `method`, or, as a response, a `result` or an `error`.");
    }
    return { kind: "response", id: id as RequestId, result, error };
  }
  if (typeof method !== "string") throw new CairnError("INVALID_REQUEST", "`method` must be a string.");
  if (id === undefined && !method.startsWith(NOTIFICATIONS)) {
    const shown = method.slice(0, 100);
    throw new CairnError(
      "INVALID_REQUEST",
      `\`${shown}\` has no \`id\`, so nobody could be answered; only \`${NOTIFICATIONS}…\` are sent without one.`,
    );
  }
  const object = toRecord(params, "`params`");
  return id === undefined
    ? { kind: "notification", method, params: object }
    : { kind: "request", id: id as RequestId, method, params: object };
}

export function writeResult(id: RequestId, result: unknown): Answer {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const json = isSerialised(result) ? result[serialised] : JSON.stringify(result);
  return { status: 200, pieces: typeof json === "string" ? [`${head}${json}}`] : [head, json, "}"] };
}

/**
 * `dual` puts the error's own number in place of JSON-RPC's code, as servers with `errors: protocol` answer. Details
 * that MCP gives a form, its own errors' and the `uri` of a resource that is not there, are the data itself.
 */
export function writeError(
  id: RequestId | null,
  body: ErrorBody,
  { modern = false, dual = false }: { readonly modern?: boolean; readonly dual?: boolean } = {},
): Answer {
  const { message, details, ...data } = body;
  const { jsonRpc } = ERRORS[body.name];
  const isProtocol = PROTOCOL_ERRORS.has(jsonRpc);
  const standard = modern && jsonRpc === RESOURCE_NOT_FOUND ? INVALID_PARAMS : jsonRpc;
  const code = dual && !isProtocol ? body.code : standard;
  const isData = isProtocol || (jsonRpc === RESOURCE_NOT_FOUND && !dual);
  const more = isData && typeof details === "object" ? details : details === undefined ? {} : { details };
  const status = isProtocol ? 400 : modern && jsonRpc === METHOD_NOT_FOUND ? 404 : 200;
  return {
    status,
    pieces: [JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data: { ...data, ...more } } })],
  };
}

export function writeNotification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

export function serialise(json: string | Buffer): Serialised {
  return { [serialised]: json };
}

export function isSerialised(result: unknown): result is Serialised {
  return typeof result === "object" && result !== null && serialised in result;
}

function toRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new CairnError("INVALID_REQUEST", `${what} must be a JSON object.`);
}
