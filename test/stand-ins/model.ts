import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One answer of the stand-in: words, calls of tools, or something that goes wrong. */
export type ScriptedReply =
  | { readonly text: string; readonly usage?: ScriptedUsage }
  | { readonly calls: readonly ScriptedCall[]; readonly text?: string; readonly usage?: ScriptedUsage }
  /** A status with what comes after it, such as `retry-after`. */
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: string }
  | "rate-limit"
  | "server-error"
  | "malformed"
  | "half"
  | "endless"
  | "not-a-completion"
  | "slow"
  | "reset";

/** Tokens of input and output; `null`: the endpoint does not count. */
type ScriptedUsage = readonly [input: number, output: number] | null;

/** A reply, or what makes one of what was asked. */
export type Script = ScriptedReply | ((asked: CompletionRequest) => ScriptedReply);

interface ScriptedCall {
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
  script(...replies: readonly Script[]): void;
  close(): Promise<void>;
}

/** An endpoint of the OpenAI chat completions interface that says what it is told to say. */
export async function startModel(...replies: readonly Script[]): Promise<ModelStandIn> {
  const requests: CompletionRequest[] = [];
  let script = [...replies];

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url !== "/v1/chat/completions" || request.method !== "POST") return json(response, 404, {});
      const asked: CompletionRequest = JSON.parse(body);
      requests.push(asked);
      const reply = (script.length > 1 ? script.shift() : script[0]) ?? { text: "" };
      return answer(response, typeof reply === "function" ? reply(asked) : reply, asked.model, requests.length);
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
    case "half":
      // A body that ends before its length.
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write('{"id": "chat');
      setImmediate(() => response.socket?.destroy());
      return;
    case "endless":
      response.writeHead(200, { "content-type": "application/json" });
      writeOnAndOn(response);
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
      if ("status" in reply) {
        response
          .writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
          .end(reply.body ?? "{}");
        return;
      }
      json(response, 200, toCompletion(reply, model, count));
  }
}

function toCompletion(
  reply: Exclude<ScriptedReply, string | { readonly status: number }>,
  model: string,
  count: number,
): object {
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
    ...(reply.usage === null ? {} : { usage: toUsage(reply.usage ?? [10, 5]) }),
  };
}

function toUsage([input, output]: NonNullable<ScriptedUsage>): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

/** As fast as it is read, until nobody does. */
function writeOnAndOn(response: ServerResponse): void {
  if (response.destroyed) return;
  if (response.write(" ".repeat(64 * 1024))) setImmediate(() => writeOnAndOn(response));
  else response.once("drain", () => writeOnAndOn(response));
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
