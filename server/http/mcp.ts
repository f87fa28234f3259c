import { CairnError, errorRow, toErrorBody } from "../errors.ts";
import type { Principal } from "../principal.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import { readMessage, writeError } from "../protocol/json-rpc.ts";
import { isProtocolVersion, PROTOCOL_VERSIONS } from "../protocol/methods/lifecycle.ts";
import { readJson } from "./body.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** MCP's Streamable HTTP, answered with JSON: one POST is one message. */
export async function answerMcp(request: Request, endpoint: Endpoint, principal: Principal): Promise<Response> {
  if (request.method !== "POST") {
    // A GET would open a stream of server messages; a server without sessions has none to send.
    const error = new CairnError("METHOD_NOT_ALLOWED", "This MCP server takes POST only.");
    return new Response(toMcpError(error, ""), { status: 405, headers: { ...JSON_TYPE, allow: "POST" } });
  }
  checkAccept(request.headers.get("accept") ?? "");
  checkProtocolVersion(request.headers.get("mcp-protocol-version"));
  const message = readMessage(await readJson(request));
  const answer = await endpoint(message, { principal, signal: request.signal });
  return answer === undefined ? new Response(null, { status: 202 }) : new Response(answer, { headers: JSON_TYPE });
}

/** An error before any message was understood, in MCP's form. */
export function toMcpErrorResponse(error: unknown, incident: string): Response {
  return new Response(toMcpError(error, incident), { status: errorRow(error).status, headers: JSON_TYPE });
}

function toMcpError(error: unknown, incident: string): string {
  return writeError(null, toErrorBody(error, incident));
}

function checkAccept(accept: string): void {
  const takes = (type: string) =>
    accept.split(",").some((range) => {
      const [name = ""] = range.trim().split(";");
      return name === type || name === "*/*" || name === `${type.split("/")[0]}/*`;
    });
  if (!takes("application/json") || !takes("text/event-stream")) {
    throw new CairnError("NOT_ACCEPTABLE", "`Accept` must list both application/json and text/event-stream.");
  }
}

function checkProtocolVersion(version: string | null): void {
  // Revisions before 2025-06-18 did not have the header, so none is no mistake.
  if (version !== null && !isProtocolVersion(version)) {
    throw new CairnError(
      "BAD_REQUEST",
      `\`MCP-Protocol-Version: ${version.slice(0, 40)}\` is not spoken here; known are ${PROTOCOL_VERSIONS.join(", ")}.`,
    );
  }
}
