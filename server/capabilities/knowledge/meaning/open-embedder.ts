import type { ModelConfig } from "../../../config/config-model.ts";
import { loadReferencedSecret } from "../../../config/secret-reference.ts";
import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import { readBounded } from "../../../text/read-bounded.ts";

/** Asker of a model for the vectors of texts, in their order. */
export interface Embedder {
  /** Name of the model: vectors of different models cannot be compared. */
  readonly model: string;
  /** Rejects with UPSTREAM_TIMEOUT or UPSTREAM_ERROR. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** Texts of one request. */
export const BATCH = 64;
const PATIENCE_MS = 30_000;
/** Bytes of an answer: 64 vectors of 4,096 numbers with 20 characters each. */
const ANSWER_BYTES = 6 * 1024 * 1024;
const MAX_DIMENSIONS = 4096;

/** Opens the model for vectors at an OpenAI-compatible endpoint; undefined where none is configured. */
export function openEmbedder(config: ModelConfig | undefined, fetch: typeof globalThis.fetch): Embedder | undefined {
  const model = config?.embeddings;
  if (config === undefined || model === undefined) return undefined;
  const { url, key } = config;
  return {
    model,
    async embed(texts) {
      const token = key === undefined ? undefined : await loadReferencedSecret("CAIRN_MODEL_KEY", key);
      const answer = await ask(fetch, `${url.replace(/\/+$/, "")}/embeddings`, token, { model, input: texts });
      const vectors = readVectors(answer);
      if (vectors?.length === texts.length) return vectors;
      throw new CairnError("UPSTREAM_ERROR", "The model endpoint answered with no vectors for the texts it was sent.");
    },
  };
}

async function ask(
  fetch: typeof globalThis.fetch,
  url: string,
  token: string | undefined,
  body: object,
): Promise<unknown> {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    // A redirect could lead texts and the key elsewhere.
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
      redirect: "error",
    });
    if (!response.ok) {
      await response.body?.cancel();
      const message = `The model endpoint answered the request for vectors with ${response.status}.`;
      throw new CairnError("UPSTREAM_ERROR", message);
    }
    const text = await readBounded(response, ANSWER_BYTES);
    if (text !== undefined) return JSON.parse(text) as unknown;
    throw new CairnError("UPSTREAM_ERROR", "The model endpoint answered with too many vectors.");
  } catch (error) {
    if (error instanceof CairnError) throw error;
    if (signal.aborted) {
      throw new CairnError("UPSTREAM_TIMEOUT", `The model endpoint gave no vectors within ${PATIENCE_MS / 1000} s.`);
    }
    throw new CairnError(
      "UPSTREAM_ERROR",
      "The model endpoint gave no vectors: it cannot be reached, or answers no JSON.",
      {
        cause: error,
      },
    );
  }
}

/** Reads vectors in the order of their `index`; undefined for anything else. */
function readVectors(answer: unknown): readonly (readonly number[])[] | undefined {
  const data = isObject(answer) ? answer["data"] : undefined;
  if (!Array.isArray(data)) return undefined;
  const found: (readonly number[])[] = [];
  for (const [at, one] of data.entries()) {
    if (!isObject(one) || !isVector(one["embedding"])) return undefined;
    found[typeof one["index"] === "number" ? one["index"] : at] = one["embedding"];
  }
  return found.length === data.length && Object.keys(found).length === data.length ? found : undefined;
}

function isVector(value: unknown): value is readonly number[] {
  const isNumbers = Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one));
  return isNumbers && value.length > 0 && value.length <= MAX_DIMENSIONS;
}
