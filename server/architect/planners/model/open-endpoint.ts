import type { ModelMessage, ToolSet } from "ai";
import { findCairnError, findSignature, openProvider } from "../../../capabilities/model/open-provider.ts";
import type { ModelConfig } from "../../../config/config-model.ts";
import { loadOptional, MODEL_PACKAGES } from "../../../config/optional-package.ts";
import { CairnError } from "../../../errors.ts";
import type { Usage } from "./create-budget.ts";
import type { ToolDefinition } from "./model-tools.ts";
import { throwIfGivenUp } from "./throw-if-given-up.ts";

export interface EndpointRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly maxOutputTokens: number;
  /** Milliseconds. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly usage: Usage;
}

export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** Undefined where the arguments were no JSON, or had names that change prototypes. */
  readonly input: unknown;
  /** Text that the model wants back with its call. */
  readonly signature: string | undefined;
}

export type Ask = (request: EndpointRequest) => Promise<ModelAnswer>;

/**
 * One question to an OpenAI-compatible endpoint. Rejects with UPSTREAM_TIMEOUT after `patience`, with CANCELLED when the
 * signal aborts, and with UPSTREAM_ERROR for whatever is no answer.
 */
export function openEndpoint(config: ModelConfig, fetch: typeof globalThis.fetch): Ask {
  return async ({ system, messages, tools, maxOutputTokens, patience, signal }) => {
    const [{ generateText, jsonSchema, tool }, model] = await Promise.all([
      loadOptional(MODEL_PACKAGES, () => import("ai")),
      openProvider(config, fetch),
    ]);
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(patience)));
    const offered: ToolSet = Object.fromEntries(
      tools.map(({ name: called, description, input }) => [
        called,
        tool({ description, inputSchema: jsonSchema(input) }),
      ]),
    );
    try {
      const { text, toolCalls, usage } = await generateText({
        model,
        system,
        messages: [...messages],
        tools: offered,
        // Asking again is the guarded fetch's.
        maxRetries: 0,
        maxOutputTokens,
        abortSignal: AbortSignal.any([signal, timeout]),
      });
      return {
        text,
        calls: toolCalls.map((made) => ({
          id: made.toolCallId,
          name: made.toolName,
          signature: findSignature(made),
          // Arguments that cannot be read stay the text that they were.
          input: typeof made.input === "string" ? undefined : made.input,
        })),
        usage: { input: toCount(usage.inputTokens), output: toCount(usage.outputTokens) },
      };
    } catch (error) {
      throwIfGivenUp(signal);
      if (timeout.aborted) {
        throw new CairnError("UPSTREAM_TIMEOUT", `The model endpoint did not answer within ${Math.ceil(patience)} ms.`);
      }
      throw findCairnError(error) ?? toUpstreamError(error);
    }
  };
}

/** Zero is what endpoints say that do not count. */
function toCount(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens > 0 ? tokens : undefined;
}

function toUpstreamError(cause: unknown): CairnError {
  const code = findCode(cause);
  const message =
    code === undefined
      ? "The model endpoint failed, or answered with something else than its protocol: a chat completion of the OpenAI form. Check `CAIRN_MODEL_URL`, to which `/chat/completions` is added."
      : `The connection to the model endpoint failed (${code}). Check \`CAIRN_MODEL_URL\`, and that it runs.`;
  return new CairnError("UPSTREAM_ERROR", message, { cause });
}

/** Finds the code of a failed connection, such as ECONNREFUSED, ENOTFOUND or CERT_HAS_EXPIRED. */
function findCode(error: unknown): string | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if ("code" in inner && typeof inner.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(inner.code)) return inner.code;
    inner = inner.cause;
  }
  return undefined;
}
