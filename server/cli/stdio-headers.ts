import type { ClientMessage } from "./stdio-message.ts";

export type BridgeHeaders = Readonly<Record<string, string>>;

/** Which parameter the header `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};
/** Visible characters, with spaces and tabs only between them. */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const SENTINEL = /^=\?base64\?.*\?=$/;

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

/** A value as it is where a header can carry it, otherwise as `=?base64?...?=`. */
export function encodeHeader(value: string): string {
  if (PLAIN.test(value) && !SENTINEL.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/** Only names have the encoding; what else a header cannot carry is left out, and the server says that it is missing. */
function plain(header: string, value: string | undefined): BridgeHeaders {
  return value !== undefined && PLAIN.test(value) ? { [header]: value } : {};
}
