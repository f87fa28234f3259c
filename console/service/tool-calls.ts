import { queryOptions } from "@tanstack/react-query";
import type { Conversation } from "./answers.ts";
import { askMcp, encodeHeader, type McpRequest } from "./mcp.ts";
import { ask } from "./request.ts";

type Members = Readonly<Record<string, unknown>>;

/** A call of a tool; with `requestState` one that answers what the tool asked. */
export interface ToolCall {
  readonly version: string;
  readonly server: string;
  readonly tool: string;
  readonly schema: Members;
  readonly input: Members;
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
  readonly onNotification: NonNullable<McpRequest["onNotification"]>;
  readonly signal: AbortSignal;
}

/** Something that a tool asks the person who called it. */
export interface Question {
  readonly method: string;
  readonly params: { readonly message: string; readonly requestedSchema: Members };
}

/** Outcome of a call, as MCP has it. */
export type CallResult =
  | {
      readonly resultType: "input_required";
      readonly inputRequests: Readonly<Record<string, Question>>;
      readonly requestState: string;
    }
  | {
      readonly resultType?: "complete";
      readonly isError?: boolean;
      readonly content: readonly { readonly type: string; readonly text?: string; readonly mimeType?: string }[];
      readonly structuredContent?: unknown;
      readonly _meta: {
        readonly "cairn/conversation_id"?: string;
        readonly "cairn/error"?: { readonly code: number; readonly name: string; readonly message: string };
        readonly "cairn/approval"?: unknown;
      };
    };

/** The tuner's tool that credits a reward to the values of a conversation. */
export const REWARD_TOOL = "tuner.bandit_reward";
/** Times and milliseconds to wait for the record of a call without effects, which may follow its answer. */
const RECORD = { retry: 5, retryDelay: 200 };

/** Calls a tool over MCP, which alone reports progress and asks. */
export function callTool(call: ToolCall): Promise<CallResult> {
  const { version, server, tool, schema, input, inputResponses, requestState, onNotification, signal } = call;
  const answers = requestState === undefined ? {} : { inputResponses, requestState };
  return askMcp<CallResult>({
    version,
    server,
    method: "tools/call",
    params: { name: tool, arguments: input, ...answers },
    headers: Object.fromEntries(listHeaders(schema, input)),
    onNotification,
    signal,
  });
}

/** The transcript of a conversation. */
export function conversation(id: string) {
  return queryOptions({
    queryKey: ["conversation", id],
    queryFn: ({ signal }) => ask<Conversation>(`/conversations/${encodeURIComponent(id)}`, { signal }),
    ...RECORD,
  });
}

/** Rewards a conversation, as far as the tuner can credit it. */
export function sendReward(version: string, id: string, reward: number) {
  return ask<{ readonly status: "success" | "failure"; readonly details?: string }>(
    `/agent/${encodeURIComponent(version)}/api/tools/${REWARD_TOOL}`,
    { method: "POST", body: { conversation_id: id, reward } },
  );
}

/** Lists the headers that repeat arguments, which the schema marks with `x-mcp-header`. */
function listHeaders({ properties }: Members, input: unknown): readonly (readonly [string, string])[] {
  if (typeof properties !== "object" || properties === null || typeof input !== "object" || input === null) return [];
  return Object.entries(properties as Readonly<Record<string, Members>>).flatMap(([name, schema]) => {
    const value = (input as Members)[name];
    const header = schema["x-mcp-header"];
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    const own =
      typeof header === "string" && isPlain ? [[`mcp-param-${header}`, encodeHeader(`${value}`)] as const] : [];
    return [...own, ...listHeaders(schema, value)];
  });
}
