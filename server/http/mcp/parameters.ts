import type { IncomingHttpHeaders } from "node:http";
import { holdsAll, type Principal } from "../../principal.ts";
import type { Message } from "../../protocol/json-rpc.ts";
import { findArgument, listParameterHeaders, type ParameterHeader } from "../../versions/parameter-headers.ts";
import type { Server, Tool } from "../../versions/version.ts";
import { createMismatch, decodeHeader } from "../header-value.ts";

/**
 * Rejects with HEADER_MISMATCH a call of a tool whose arguments are not what its `Mcp-Param-*` headers say, lest a proxy
 * let pass one thing and the tool do another. Who may not use the tool is refused later, and not told of its headers.
 */
export type ParameterCheck = (
  message: Message,
  server: Server,
  headers: IncomingHttpHeaders,
  principal: Principal,
) => void;

/** By the names of tools; tools without such headers are not there. */
type ByTool = ReadonlyMap<unknown, { readonly tool: Tool; readonly parameters: readonly ParameterHeader[] }>;

/** Whole numbers however they are written: `42` and `42.0`. */
const INTEGER = /^-?\d+(?:\.0+)?$/;

export function createParameterCheck(): ParameterCheck {
  const known = new WeakMap<Server, ByTool>();
  return (message, server, headers, principal) => {
    let byTool = known.get(server);
    if (byTool === undefined) {
      byTool = toHeaders(server);
      known.set(server, byTool);
    }
    if (byTool.size === 0 || message.kind !== "request" || message.method !== "tools/call") return;
    const found = byTool.get(message.params["name"]);
    if (found === undefined || !holdsAll(principal, found.tool.requiredCapabilities)) return;
    for (const { header, path } of found.parameters) {
      check(header, headers[header.toLowerCase()], findArgument(message.params["arguments"], path));
    }
  };
}

function toHeaders({ tools }: Server): ByTool {
  return new Map(
    tools
      .map((tool) => [tool.name, { tool, parameters: listParameterHeaders(tool.input) }] as const)
      .filter(([, { parameters }]) => parameters.length > 0),
  );
}

function check(header: string, stated: string | string[] | undefined, value: unknown): void {
  const shown = Array.isArray(stated) ? stated[0] : stated;
  if (value === undefined || value === null) {
    if (shown !== undefined) throw createMismatch(header, shown, undefined);
  } else if (typeof value !== "object") {
    const text = decodeHeader(stated);
    if (text === undefined || !isSame(value, text)) throw createMismatch(header, shown, String(value));
  }
  // A list or an object is refused by the tool's schema.
}

function isSame(value: unknown, text: string): boolean {
  if (Number.isSafeInteger(value) && INTEGER.test(text)) return Number(text) === value;
  return String(value) === text;
}
