import { once } from "node:events";
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Definition } from "../../../server/semver/surfaces/surface.ts";
import type { AtEnd } from "../../helpers/temporary.ts";
import { type AnswerCall, type McpUpstream, startMcpUpstream } from "../../stand-ins/mcp-upstream.ts";

/** Server that asks clients although they do not declare that they can be asked, which the official servers never do. */
export interface AskingServer extends McpUpstream {
  /** Calls that were cancelled, as their tool saw it. */
  readonly givenUp: string[];
}

const TEXT = { content: [{ type: "text" as const, text: "Done." }] };

const ASKING: Readonly<Record<string, AnswerCall>> = {
  async sample(_tool, { sendRequest }) {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Hi" } }];
    await sendRequest(
      { method: "sampling/createMessage", params: { messages, maxTokens: 9 } },
      CreateMessageResultSchema,
    );
    return TEXT;
  },
  async elicit(_tool, { sendRequest }) {
    const requestedSchema = { type: "object" as const, properties: {} };
    await sendRequest(
      { method: "elicitation/create", params: { message: "Who?", requestedSchema } },
      ElicitResultSchema,
    );
    return TEXT;
  },
  async roots(_tool, { sendRequest }) {
    await sendRequest({ method: "roots/list" }, ListRootsResultSchema);
    return TEXT;
  },
  async log(_tool, { sendNotification }) {
    await sendNotification({ method: "notifications/message", params: { level: "info", data: "A line." } });
    return TEXT;
  },
  async surplus() {
    return { ...TEXT, structuredContent: { not: "declared" }, _meta: { "example/cost": 7 } };
  },
};

export async function startAskingServer(atEnd: AtEnd): Promise<AskingServer> {
  const givenUp: string[] = [];
  const wait: AnswerCall = async (tool, { signal }) => {
    if (!signal.aborted) await once(signal, "abort");
    givenUp.push(tool);
    return TEXT;
  };
  const tools: Readonly<Record<string, AnswerCall>> = { ...ASKING, wait };
  const definitions = Object.keys(tools).map((name): [string, Definition] => [
    name,
    { description: `Tries ${name}.`, inputSchema: { type: "object" } },
  ]);
  const server = await startMcpUpstream(
    Object.fromEntries(definitions),
    atEnd,
    async (tool, extra) => tools[tool]?.(tool, extra) ?? TEXT,
  );
  return Object.assign(server, { givenUp });
}
