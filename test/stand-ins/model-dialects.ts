import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** How one endpoint of the OpenAI form differs from the others, as its documentation and its users' reports say. */
export interface Dialect {
  /** Heading of its example in docs/architect-model.md. */
  readonly name: string;
  /** Documented base URL. */
  readonly base: string;
  readonly key?: string;
  /** Fields that it takes; absent: others are ignored. */
  readonly takes?: readonly string[];
  /** Finds what it refuses in a request. */
  findFault?(asked: Asked): { readonly status: number; readonly body: object } | undefined;
  /** Its error for a wrong key. */
  readonly unauthorized: { readonly status: number; readonly body: object };
  /** Identifier of the call of so many requests. */
  toId(count: number): string;
  /** What it adds to a call, and wants back. */
  readonly callExtra?: object;
  readonly messageExtra?: object;
}

interface AskedCall {
  readonly id: string;
  readonly function: { readonly arguments: string };
}

export interface Asked {
  readonly [field: string]: unknown;
  readonly model: string;
  readonly messages: readonly {
    readonly [field: string]: unknown;
    readonly role: string;
    readonly content?: string | null;
    readonly tool_calls?: readonly AskedCall[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

const CORE = ["model", "messages", "tools", "tool_choice", "temperature", "stream", "stop", "seed", "response_format"];

const findKeyword = (asked: Asked, words: RegExp) => words.exec(JSON.stringify(asked.tools ?? []))?.[0];

export const DIALECTS: readonly Dialect[] = [
  {
    name: "OpenAI",
    base: "https://api.openai.com/v1",
    key: "sk-proj-0123456789",
    takes: [...CORE, "max_tokens", "max_completion_tokens", "parallel_tool_calls", "reasoning_effort"],
    // https://platform.openai.com/docs/api-reference/chat: models that reason refuse `max_tokens` and other temperatures than 1.
    findFault({ max_tokens: limit, temperature = 1 }) {
      const refuse = (param: string, code: string, message: string) => {
        return { status: 400, body: { error: { message, type: "invalid_request_error", param, code } } };
      };
      if (limit !== undefined) {
        const instead = "is not supported with this model. Use 'max_completion_tokens' instead.";
        return refuse("max_tokens", "unsupported_parameter", `Unsupported parameter: 'max_tokens' ${instead}`);
      }
      if (temperature === 1) return undefined;
      const only = "with this model. Only the default (1) value is supported.";
      return refuse("temperature", "unsupported_value", `Unsupported value: 'temperature' does not support it ${only}`);
    },
    unauthorized: {
      status: 401,
      body: {
        error: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
      },
    },
    toId: (count) => `call_${String(count).padStart(24, "0")}`,
    messageExtra: { refusal: null, annotations: [] },
  },
  {
    name: "Anthropic",
    base: "https://api.anthropic.com/v1/",
    key: "sk-ant-0123456789",
    // Unknown fields are ignored.
    unauthorized: {
      status: 401,
      body: { error: { code: "authentication_error", message: "invalid x-api-key", type: "authentication_error" } },
    },
    toId: (count) => `toolu_${String(count).padStart(24, "0")}`,
  },
  {
    name: "Google Gemini",
    base: "https://generativelanguage.googleapis.com/v1beta/openai/",
    key: "AIza0123456789",
    takes: [...CORE, "max_tokens", "max_completion_tokens", "reasoning_effort"],
    // https://ai.google.dev/gemini-api/docs/thought-signatures: calls come back with their signature.
    findFault(asked) {
      const refuse = (message: string) => {
        return { status: 400, body: [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }] };
      };
      const keyword = findKeyword(asked, /"(?:\$ref|\$defs|\$schema|const|additionalProperties)":|"type":\[/);
      if (keyword !== undefined) return refuse(`Invalid JSON payload received. Unknown name ${keyword}`);
      const bare = asked.messages
        .flatMap(({ tool_calls: calls = [] }) => calls)
        .some((call) => !JSON.stringify(call).includes('"thought_signature":"c2lnbmVk"'));
      return bare ? refuse("Function call is missing a thought_signature in functionCall parts.") : undefined;
    },
    unauthorized: {
      status: 400,
      body: [
        {
          error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" },
        },
      ],
    },
    toId: (count) => `function-call-${count}`,
    callExtra: { extra_content: { google: { thought_signature: "c2lnbmVk" } } },
  },
  {
    name: "Mistral",
    base: "https://api.mistral.ai/v1",
    key: "0123456789abcdef",
    takes: [...CORE, "max_tokens", "parallel_tool_calls", "random_seed"],
    findFault({ messages }) {
      const refuse = (message: string) => {
        return { status: 400, body: { object: "error", message, type: "invalid_function_call", code: "3280" } };
      };
      const known = new Set(["role", "content", "tool_calls", "tool_call_id", "name", "prefix"]);
      const extra = messages.flatMap((one) => Object.keys(one).filter((key) => !known.has(key)))[0];
      if (extra !== undefined) {
        const detail = [
          { type: "extra_forbidden", loc: ["body", "messages", extra], msg: "Extra inputs are not permitted" },
        ];
        return { status: 422, body: { detail } };
      }
      const odd = messages
        .flatMap(({ tool_calls: calls = [] }) => calls)
        .find(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id));
      return odd && refuse(`Tool call id was ${odd.id} but must be a-z, A-Z, 0-9, with a length of 9.`);
    },
    unauthorized: { status: 401, body: { detail: "Unauthorized" } },
    toId: (count) => `D681Pev${String(count).padStart(2, "0")}`,
  },
  {
    name: "Ollama",
    base: "http://127.0.0.1:11434/v1",
    findFault: ({ model }) =>
      model === "missing"
        ? {
            status: 404,
            body: { error: { message: `model "missing" not found, try pulling it first`, type: "api_error" } },
          }
        : undefined,
    unauthorized: { status: 401, body: { error: { message: "unauthorized", type: "api_error" } } },
    toId: (count) => `call_${count}abcdefg`,
  },
  {
    name: "llama.cpp",
    base: "http://127.0.0.1:8080/v1",
    key: "local-0123456789",
    // A grammar is made of the schemas of all tools: patterns within objects and large repetitions break it.
    findFault(asked) {
      const keyword = findKeyword(asked, /"(?:pattern|maxLength|minLength|maxItems|\$ref)":|"properties":\{\}/);
      if (keyword === undefined) return undefined;
      const message = "Failed to initialize samplers: failed to parse grammar";
      return { status: 400, body: { error: { code: 400, message, type: "invalid_request_error" } } };
    },
    unauthorized: {
      status: 401,
      body: { error: { code: 401, message: "Invalid API Key", type: "authentication_error" } },
    },
    toId: (count) => `${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF".slice(0, 30)}${String(count).padStart(2, "0")}`,
  },
];

/** An endpoint that is as strict as the one it stands for, and calls these tools in turn; it is busy once before. */
export async function startDialect(
  dialect: Dialect,
  calls: readonly { readonly name: string; readonly input: object }[],
  busyTimes = 0,
) {
  const requests: Asked[] = [];
  const refusals: object[] = [];
  let busy = busyTimes;
  const path = new URL(dialect.base).pathname.replace(/\/$/, "");
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const send = (status: number, answer: object, headers: Readonly<Record<string, string>> = {}) => {
        if (status >= 400) refusals.push(answer);
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(answer));
      };
      if (request.method !== "POST" || request.url !== `${path}/chat/completions`) return send(404, {});
      if (dialect.key !== undefined && request.headers.authorization !== `Bearer ${dialect.key}`) {
        return send(dialect.unauthorized.status, dialect.unauthorized.body);
      }
      const asked: Asked = JSON.parse(body);
      if (busy-- > 0) return send(429, { error: { message: "Slow down." } }, { "retry-after": "1" });
      const odd = Object.keys(asked).find((field) => dialect.takes !== undefined && !dialect.takes.includes(field));
      if (odd !== undefined) return send(422, { error: { message: `Unrecognized request argument supplied: ${odd}` } });
      const fault = findUnanswered(asked) ?? dialect.findFault?.(asked);
      if (fault !== undefined) return send(fault.status, fault.body);
      requests.push(asked);
      return send(200, toCompletion(dialect, asked, calls, requests.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    /** The documented base URL, on loopback. */
    url: new URL(new URL(dialect.base).pathname, `http://127.0.0.1:${(server.address() as AddressInfo).port}`).href,
    requests,
    refusals,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Every call has to be followed by its answer, everywhere. */
function findUnanswered({ messages }: Asked): { readonly status: number; readonly body: object } | undefined {
  const asked = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
  const answered = new Set(messages.flatMap(({ tool_call_id: id }) => (typeof id === "string" ? [id] : [])));
  const open = asked.find((id) => !answered.has(id));
  return open === undefined
    ? undefined
    : { status: 400, body: { error: { message: `No answer to the tool call ${open}.` } } };
}

function toCompletion(
  { toId, callExtra, messageExtra }: Dialect,
  { model }: Asked,
  calls: Parameters<typeof startDialect>[1],
  count: number,
): object {
  const { name, input } = calls[Math.min(count, calls.length) - 1] ?? { name: "", input: {} };
  const call = { name, arguments: JSON.stringify(input) };
  const made = name === "" ? [] : [{ id: toId(count), type: "function", function: call, ...callExtra }];
  const message = { role: "assistant", content: made.length > 0 ? null : "Hello.", ...messageExtra };
  return {
    id: `chatcmpl-${count}`,
    object: "chat.completion",
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: made.length > 0 ? { ...message, tool_calls: made } : message,
        finish_reason: made.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: 900, completion_tokens: 90, total_tokens: 990 },
  };
}
