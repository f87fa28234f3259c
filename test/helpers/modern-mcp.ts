import { type Rpc, type Sent, toSent } from "./sent.ts";

/** A request in the revision of MCP without a handshake. */
export interface ModernRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly id?: string | number;
  readonly capabilities?: object;
  /** More members of `_meta`, or others instead; `undefined` for none. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** More headers, or others instead; `undefined` for none. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export const REVISION = "2026-07-28";

/** Sends it as a client would that breaks no rule but those that the request names. */
export async function sendModern(url: string, request: ModernRequest): Promise<Sent> {
  const { method, params = {}, id = 1, capabilities = {}, meta = {}, headers = {}, signal } = request;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    ...meta,
  };
  const name = params["name"] ?? params["uri"];
  const all = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": REVISION,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
    ...headers,
  };
  const response = await fetch(url, {
    method: "POST",
    headers: Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined),
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
    ...(signal === undefined ? {} : { signal }),
  });
  return toSent(response);
}

/** The result of a request that is answered with one, whatever is sent before. */
export async function askModern(url: string, request: ModernRequest): Promise<Rpc> {
  return (await sendModern(url, request)).result();
}

/** A call of a tool. */
export function toToolCall(
  name: string,
  args: object = {},
  more: object = {},
): Pick<ModernRequest, "method" | "params"> {
  return { method: "tools/call", params: { name, arguments: args, ...more } };
}
