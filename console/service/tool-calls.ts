import { askMcp, encodeHeader, type McpRequest } from "./mcp.ts";
import type { ProblemDetails } from "./answers.ts";
import { ask, send, ServiceError } from "./request.ts";

/** Status of what is not done yet. */
const ACCEPTED = 202;

type Members = Readonly<Record<string, unknown>>;

/** Ways to call a tool. Over MCP alone it reports progress and asks. */
export const WAYS = ["mcp", "rest"] as const;
export type Way = (typeof WAYS)[number];

/** A call of a tool; with `requestState` one that answers what the tool asked. */
export interface ToolCall {
  readonly by: Way;
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

/** Calls a tool. What it answers has the form of MCP, whichever way it is called. */
export function callTool(call: ToolCall): Promise<CallResult> {
  return call.by === "rest" ? callOverRest(call) : callOverMcp(call);
}

function callOverMcp(call: ToolCall): Promise<CallResult> {
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

/** Rejects with `ServiceError` where the tool fails: by REST its errors are those of the request. */
async function callOverRest({ version, tool, input, signal }: ToolCall): Promise<CallResult> {
  const path = `/agent/${encodeURIComponent(version)}/api/tools/${encodeURIComponent(tool)}`;
  const response = await send(path, { method: "POST", body: input, signal });
  const body: unknown = await response.json();
  const id = response.headers.get("cairn-conversation-id");
  // A call that waits for an approval is no error of HTTP, and has no output yet.
  if (response.status === ACCEPTED) throw new ServiceError(body as ProblemDetails);
  return { content: [], structuredContent: body, _meta: id === null ? {} : { "cairn/conversation_id": id } };
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
