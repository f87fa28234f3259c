import { encodeHeader, NAMED_BY, PLAIN } from "../../http/header-value.ts";
import type { ClientMessage } from "./message.ts";

export type BridgeHeaders = Readonly<Record<string, string>>;

/** Since 2026-07-28 headers repeat what the body says, for proxies that do not read bodies. */
export function toModernHeaders({ method, params, revision }: ClientMessage): BridgeHeaders {
  const parameter = method === undefined ? undefined : NAMED_BY[method];
  const name = parameter === undefined ? undefined : params[parameter];
  return {
    ...plain("mcp-protocol-version", revision),
    ...plain("mcp-method", method),
    ...(typeof name === "string" ? { "mcp-name": encodeHeader(name) } : {}),
  };
}

/** Only names have the encoding; what else a header cannot carry is left out, and the server says that it is missing. */
function plain(header: string, value: string | undefined): BridgeHeaders {
  return value !== undefined && PLAIN.test(value) ? { [header]: value } : {};
}
