import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One answer of the stand-in: words, calls of tools, or something that goes wrong. */
export type ScriptedReply =
  | { readonly text: string }
  | { readonly calls: readonly ScriptedCall[]; readonly text?: string }
  | "rate-limit"
  | "server-error"
  | "malformed"
  | "not-a-completion"
  | "slow"
  | "reset";

export interface ScriptedCall {
  readonly name: string;
  /** An object, or text that is not JSON at all. */
  readonly arguments: object | string;
}

/** What was asked of the model, as far as tests look at it. */
export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: string | null;
    readonly tool_calls?: readonly unknown[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly temperature?: number;
  readonly max_tokens?: number;
}

export interface ModelStandIn {
  /** `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly requests: readonly CompletionRequest[];
  /** What to answer next, in this order; the last one is repeated. */
  script(...replies: readonly ScriptedReply[]): void;
  close(): Promise<void>;
}

/** An endpoint of the OpenAI chat completions interface that says what it is told to say. */
export async function startModel(...replies: readonly ScriptedReply[]): Promise<ModelStandIn> {
  const requests: CompletionRequest[] = [];
  let script = [...replies];

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url !== "/v1/chat/completions" || request.method !== "POST") return json(response, 404, {});
      const asked: CompletionRequest = JSON.parse(body);
      requests.push(asked);
      const reply = (script.length > 1 ? script.shift() : script[0]) ?? { text: "" };
      return answer(response, reply, asked.model, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script(...next) {
      requests.length = 0;
      script = [...next];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, reply: ScriptedReply, model: string, count: number): void {
  switch (reply) {
    case "rate-limit":
      return json(response, 429, { error: { message: "Rate limit reached.", type: "requests" } });
    case "server-error":
      return json(response, 500, { error: { message: "The server had an error.", type: "server_error" } });
    case "malformed":
      response.writeHead(200, { "content-type": "application/json" }).end('{"id": "chatcmpl-1", "choices": [{');
      return;
    case "not-a-completion":
      return json(response, 200, { hello: "world" });
    case "slow":
      // Never answers: whoever asked has to lose patience.
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    default:
      json(response, 200, toCompletion(reply, model, count));
  }
}

function toCompletion(reply: Exclude<ScriptedReply, string>, model: string, count: number): object {
  const calls = "calls" in reply ? reply.calls : [];
  const toolCalls = calls.map((call, index) => ({
    id: `call_${count}_${index}`,
    type: "function",
    function: {
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  const message = {
    role: "assistant",
    content: reply.text ?? null,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return {
    id: `chatcmpl-${count}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: toolCalls.length > 0 ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
