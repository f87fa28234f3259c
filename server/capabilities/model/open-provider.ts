import type { LanguageModel, ToolSet, TypedToolCall } from "ai";
import type { ModelConfig } from "../../config/config-model.ts";
import { loadOptional, MODEL_PACKAGES } from "../../config/optional-package.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";

const PROVIDER = "cairn";

/** Characters of a refusal that are read. */
const MAX_REFUSAL = 16_384;

/** A field that some endpoints refuse, and the request that they take instead. */
interface Concession {
  readonly field: string;
  /** Pattern of a refusal. */
  readonly pattern: RegExp;
  toAccepted(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

const CONCESSIONS: readonly Concession[] = [
  {
    // OpenAI's models that reason, and proxies before them.
    field: "max_tokens",
    pattern: /max_completion_tokens/,
    toAccepted: ({ max_tokens: limit, ...rest }) => ({ ...rest, max_completion_tokens: limit }),
  },
  {
    field: "temperature",
    pattern: /temperature/i,
    toAccepted: ({ temperature: _temperature, ...rest }) => rest,
  },
];

/** Opens the configured model over `fetch`. Its key is read for each request, so that a file may get another one. */
export async function openProvider(
  { url, name, key }: ModelConfig,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const { createOpenAICompatible } = await loadOptional(MODEL_PACKAGES, () => import("@ai-sdk/openai-compatible"));
  const apiKey = key === undefined ? {} : { apiKey: () => loadReferencedSecret("CAIRN_MODEL_KEY", key) };
  return createOpenAICompatible({ name: PROVIDER, baseURL: url, fetch, ...apiKey })(name);
}

/** Finds the text that a model wants back with its call, as Gemini does with the signature of its thoughts. */
export function findSignature({
  providerMetadata,
}: Pick<TypedToolCall<ToolSet>, "providerMetadata">): string | undefined {
  const signature = providerMetadata?.[PROVIDER]?.["thoughtSignature"];
  return typeof signature === "string" ? signature : undefined;
}

/** Writes the signature of a call for the provider that sends it back. */
export function withSignature(signature: string | undefined) {
  return signature === undefined ? {} : { providerOptions: { [PROVIDER]: { thoughtSignature: signature } } };
}

/**
 * Creates a `fetch` that asks once more without a field that the endpoint refuses, and leaves it out from then on: endpoints
 * differ in which of them they take.
 */
export function createConcedingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const conceded = new Set<Concession>();
  return async (input, init) => {
    for (;;) {
      const sent: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
      if (!isObject(sent)) return fetch(input, init);
      const body = [...conceded].reduce((now, one) => (one.field in now ? one.toAccepted(now) : now), sent);
      const response = await fetch(input, { ...init, body: JSON.stringify(body) });
      if (response.status !== 400 && response.status !== 422) return response;
      const text = await readStart(response, MAX_REFUSAL);
      const next = CONCESSIONS.find((one) => !conceded.has(one) && one.field in body && one.pattern.test(text));
      if (next === undefined) return new Response(text, { status: response.status, headers: response.headers });
      conceded.add(next);
    }
  };
}

/** Reads the text of a response up to about so many characters. */
export async function readStart(response: Response, characters: number): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the body.
    if (text.length >= characters) break;
  }
  return text.slice(0, characters).toWellFormed();
}

/** Finds an error of Cairn's own among the causes of an error of the provider. */
export function findCairnError(error: unknown): CairnError | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof CairnError) return inner;
    inner = inner.cause;
  }
  return undefined;
}
