import { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import { CairnError } from "../../errors.ts";
import { readIdempotencyKey } from "../../idempotency-key.ts";
import type { Principal } from "../../principal.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { readJson } from "../body.ts";
import { createDocument } from "../document.ts";
import { toProblem } from "../problem.ts";
import type { Reply } from "../reply.ts";
import { listNames } from "../../kernel/tools/usable-tools.ts";
import type { Invoke } from "../../kernel/call.ts";
import { toOrigin } from "../../kernel/origin.ts";

/** `POST .../api/tools/{name}`: the body is the tool's input, the answer its output. */
export async function callTool(
  request: ServerRequest,
  version: Version,
  tool: Tool,
  principal: Principal,
  invoke: Invoke,
  createId: () => string,
  address: string,
): Promise<Reply> {
  const sent = request.runtime?.node?.req;
  if (!(sent instanceof IncomingMessage)) throw new TypeError("Bodies are read from requests of Node's HTTP/1.1 only.");
  const input = await readJson(sent);
  const key = readIdempotencyKey(sent.headers["idempotency-key"]);
  const once = key === undefined ? {} : { idempotencyKey: key };
  const origin = toOrigin(sent.headers, createId, undefined, address);
  const result = await invoke({ version, tool, input, principal, origin, signal: request.signal, ...once });
  const headers = {
    "cairn-conversation-id": result.conversationId,
    "cairn-logs": result.logsUri,
    "x-request-id": origin.requestId,
  };
  if (result.ok) {
    const { output, outputText = JSON.stringify(output) } = result;
    return { document: createDocument("application/json", outputText, "fast"), headers };
  }
  return toProblem(result.error, { conversation_id: result.conversationId }, headers);
}

/** The tool of this name; rejects with INVALID_TOOL, which names others that the caller may use. */
export function findTool(
  version: Version,
  name: string,
  principal: Principal,
  isReachable: (tool: Tool) => boolean = () => true,
): Tool {
  const tool = version.tools.get(name);
  if (!tool) {
    const known = listNames([...version.tools.values()].filter(isReachable), principal);
    throw new CairnError(
      "INVALID_TOOL",
      `There is no tool \`${name.slice(0, 100)}\` in version ${version.semver}; it has: ${known}.`,
    );
  }
  return tool;
}
