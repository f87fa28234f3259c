import type { LanguageModel, ModelMessage as AiMessage } from "ai";
import type { ModelConfig } from "../../config/config-model.ts";
import { loadOptional, MODEL_PACKAGES } from "../../config/optional-package.ts";
import { CairnError } from "../../errors.ts";
import type { ModelMessage, ModelRequest } from "../../host-api.ts";
import { defined } from "../../json/defined.ts";
import type { Json } from "../../store/store.ts";
import { createConcedingFetch, findCairnError, findSignature, openProvider, withSignature } from "./open-provider.ts";
import { createArgumentCheck } from "../../kernel/arguments.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";

const MAX_TOKENS = 4096;
const DEFAULT_TIMEOUT = 30_000;

const generateArguments = createArgumentCheck<ModelRequest>("model.generate", {
  type: "object",
  required: ["messages"],
  properties: {
    messages: {
      type: "array",
      minItems: 1,
      maxItems: 500,
      items: {
        type: "object",
        required: ["role"],
        oneOf: [
          { properties: { role: { enum: ["system", "user"] }, text: { type: "string" } }, required: ["text"] },
          {
            properties: {
              role: { const: "assistant" },
              text: { type: "string" },
              toolCalls: {
                type: "array",
                items: {
                  type: "object",
                  required: ["id", "name", "input"],
                  properties: {
                    id: { type: "string" },
                    name: { type: "string" },
                    input: {},
                    signature: { type: "string" },
                  },
                },
              },
            },
          },
          {
            properties: { role: { const: "tool" }, id: { type: "string" }, name: { type: "string" }, output: {} },
            required: ["id", "name", "output"],
          },
        ],
      },
    },
    tools: {
      type: "array",
      maxItems: 128,
      items: {
        type: "object",
        required: ["name", "description", "input"],
        properties: { name: { type: "string" }, description: { type: "string" }, input: { type: "object" } },
      },
    },
    temperature: { type: "number", minimum: 0, maximum: 2 },
    maxTokens: { type: "integer", minimum: 1, maximum: MAX_TOKENS },
    timeout: { type: "number", exclusiveMinimum: 0 },
  },
});

/** `ctx.model.generate` over an OpenAI-compatible endpoint; without one configured it is UNAVAILABLE. */
export function createModelSyscalls(config: ModelConfig | undefined, now: () => number) {
  let model: LanguageModel | undefined;
  return defineSyscalls({
    async "model.generate"(call, args) {
      const request = generateArguments(args);
      if (!config) throw new CairnError("UNAVAILABLE", "No model endpoint is configured (`CAIRN_MODEL_URL`).");
      const { generateText, jsonSchema, tool } = await loadOptional(MODEL_PACKAGES, () => import("ai"));
      model ??= await openProvider(config, createConcedingFetch(globalThis.fetch));
      const names = createNames();
      const tools = (request.tools ?? []).map(({ name, description, input }) => [
        names.toModel(name),
        tool({ description, inputSchema: jsonSchema(input) }),
      ]);
      const patience = Math.max(1, Math.min(request.timeout ?? DEFAULT_TIMEOUT, call.deadline - now()));
      const timeout = AbortSignal.timeout(patience);
      try {
        const { text, toolCalls, usage } = await generateText({
          model,
          messages: request.messages.map((message) => toAiMessage(message, names.toModel)),
          allowSystemInMessages: true,
          tools: Object.fromEntries(tools),
          maxRetries: 1,
          maxOutputTokens: request.maxTokens ?? MAX_TOKENS,
          ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
          abortSignal: AbortSignal.any([call.signal, timeout]),
        });
        return {
          text,
          toolCalls: toolCalls.map((made) => ({
            id: made.toolCallId,
            name: names.fromModel(made.toolName),
            input: made.input as Json,
            ...defined({ signature: findSignature(made) }),
          })),
          usage: { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 },
        };
      } catch (error) {
        const own = findCairnError(error);
        if (own !== undefined) throw own;
        const [name, what] = timeout.aborted
          ? (["UPSTREAM_TIMEOUT", "did not answer in time"] as const)
          : (["UPSTREAM_ERROR", "failed or answered with something else than its protocol"] as const);
        throw new CairnError(name, `The model endpoint ${what}.`, { cause: error });
      }
    },
  });
}

/** Model interfaces take letters, digits, underscores and dashes only, so names travel under others and come back. */
function createNames() {
  const forward = new Map<string, string>();
  const back = new Map<string, string>();
  return {
    toModel(name: string): string {
      const known = forward.get(name);
      if (known !== undefined) return known;
      const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
      let alias = plain;
      for (let count = 2; back.has(alias); count++) alias = `${plain}_${count}`;
      forward.set(name, alias);
      back.set(alias, name);
      return alias;
    },
    fromModel: (alias: string) => back.get(alias) ?? alias,
  };
}

function toAiMessage(message: ModelMessage, toModelName: (name: string) => string): AiMessage {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.text };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text ? [{ type: "text" as const, text: message.text }] : []),
          ...(message.toolCalls ?? []).map(({ id, name, input, signature }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: toModelName(name),
            input,
            ...withSignature(signature),
          })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: message.id,
            toolName: toModelName(message.name),
            output: { type: "json", value: message.output as never },
          },
        ],
      };
  }
}
