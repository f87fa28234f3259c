import type { IncomingHttpHeaders } from "node:http";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Message } from "../../protocol/json-rpc.ts";
import { type McpLogLevel, readLogLevel } from "../../protocol/log-levels.ts";
import {
  HEADERLESS_REVISION,
  isLegacy,
  isModern,
  PROTOCOL_VERSION,
  REVISIONS,
} from "../../capabilities/mcp/client/revisions.ts";
import { createMismatch, decodeHeader, NAMED_BY } from "../header-value.ts";

const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** Revision of a request and how to read it. */
export type Revision =
  | { readonly modern: false; readonly version: string }
  | { readonly modern: true; readonly capabilities: object; readonly logLevel?: McpLogLevel };

/**
 * Reads the MCP revision of a message: from its `_meta`, otherwise from its header. A modern request states everything
 * twice, in headers for proxies and in its body for the service. A difference is refused, so that a proxy cannot let pass
 * one thing and the server do another. Rejects with HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION or BAD_REQUEST.
 */
export function readRevision(message: Message, headers: IncomingHttpHeaders): Revision {
  const header = single(headers["mcp-protocol-version"]);
  const meta = message.kind === "response" ? undefined : message.params["_meta"];
  const stated = isObject(meta) ? meta[PROTOCOL_VERSION] : undefined;
  if (stated === undefined && (header === undefined || isLegacy(header))) {
    return { modern: false, version: header ?? HEADERLESS_REVISION };
  }
  if (stated === undefined && header !== undefined && !isModern(header)) throw unsupported(header);
  if (message.kind === "notification") return { modern: true, capabilities: {} };
  if (message.kind === "response")
    throw new CairnError("INVALID_REQUEST", "Only requests and notifications can be sent here.");
  if (!isObject(meta) || typeof stated !== "string") {
    throw new CairnError("BAD_REQUEST", `\`params._meta\` must have \`${PROTOCOL_VERSION}\`, a string.`);
  }
  if (header !== stated) throw createMismatch("MCP-Protocol-Version", header, stated);
  if (!isModern(stated)) throw unsupported(stated);
  const capabilities = meta[CLIENT_CAPABILITIES];
  if (!isObject(capabilities)) {
    throw new CairnError("BAD_REQUEST", `\`params._meta\` must have \`${CLIENT_CAPABILITIES}\`, an object.`);
  }
  checkHeaders(message.method, message.params, headers);
  const level = meta[LOG_LEVEL];
  return { modern: true, capabilities, ...(level === undefined ? {} : { logLevel: readLogLevel(level) }) };
}

function checkHeaders(method: string, params: Readonly<Record<string, unknown>>, headers: IncomingHttpHeaders): void {
  const stated = single(headers["mcp-method"]);
  if (stated !== method) throw createMismatch("Mcp-Method", stated, method);
  const name = headers["mcp-name"];
  const parameter = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  // What is no string at all is refused by the method itself.
  const expected = parameter === undefined ? findNamed(params, decodeHeader(name)) : params[parameter];
  if (typeof expected === "string" ? decodeHeader(name) !== expected : name !== undefined) {
    throw createMismatch("Mcp-Name", single(name), typeof expected === "string" ? expected : undefined);
  }
}

/** Finds in the parameters of any other method what clients may repeat as a name, though none has to. */
function findNamed({ name, uri, ref }: Readonly<Record<string, unknown>>, stated: string | undefined): unknown {
  const referred = isObject(ref) ? [ref["name"], ref["uri"]] : [];
  return stated === undefined ? undefined : [name, uri, ...referred].find((known) => known === stated);
}

function unsupported(requested: string): CairnError {
  return new CairnError(
    "UNSUPPORTED_PROTOCOL_VERSION",
    `The revision \`${requested.slice(0, 40)}\` is not spoken here; known are ${REVISIONS.join(", ")}.`,
    { details: { supported: REVISIONS, requested } },
  );
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
