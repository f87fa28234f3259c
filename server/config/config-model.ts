import type { ConfigReader } from "./config-reader.ts";
import { readSecretReference, type SecretReference } from "./secret-reference.ts";
import { defined } from "../json/defined.ts";

/** Endpoint of a model, with its credential by reference. */
export interface ModelConfig {
  /** Base URL of an OpenAI-compatible API, up to and including `/v1`. */
  readonly url: string;
  readonly name: string;
  readonly key?: SecretReference;
  /** Model of the same API for vectors of texts; absent: search finds by words alone. */
  readonly embeddings?: string;
}

export const MODEL_VARIABLES = {
  CAIRN_MODEL_URL:
    "Base URL of an OpenAI-compatible API for `ctx.model` and the planner of the [Architect](architect-model.md), for example `http://127.0.0.1:11434/v1`.",
  CAIRN_MODEL_NAME: "Model to ask for. Needed with `CAIRN_MODEL_URL`.",
  CAIRN_MODEL_EMBEDDINGS:
    "Model of the same API for vectors, so that [search in the repository](planning.md#search) finds by meaning as well. The text of the repository goes there.",
  CAIRN_MODEL_KEY:
    "Its API key, if it wants one: `env:NAME` for an environment variable, `file:/path` for a file, which is read for each request. The key itself works, too, but shows wherever variables are listed.",
} as const;

type ModelReader = ConfigReader<keyof typeof MODEL_VARIABLES>;

/** Reads the endpoint of the model; undefined where none is set, or what is set is wrong, which the reader hears. */
export function readModelConfig({ get, wrong, problem, environment }: ModelReader): ModelConfig | undefined {
  const url = get("CAIRN_MODEL_URL");
  const name = get("CAIRN_MODEL_NAME");
  const text = get("CAIRN_MODEL_KEY");
  if (url === undefined) return undefined;
  if (!isHttp(url)) return wrong("CAIRN_MODEL_URL", "it must be an http or https URL");
  if (name === undefined) {
    problem("CAIRN_MODEL_URL is set but CAIRN_MODEL_NAME is not; it says which model to ask for");
    return undefined;
  }
  const isReference = text !== undefined && /^(?:env|file):/.test(text);
  const key = isReference ? readSecretReference("CAIRN_MODEL_KEY", text, environment, problem) : toValue(text);
  return { url, name, ...defined({ key, embeddings: get("CAIRN_MODEL_EMBEDDINGS") }) };
}

/** Checks that a text is an address of http or https. */
export function isHttp(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** Takes a key that stands in its variable itself, as keys of models could from the first version on. */
function toValue(text: string | undefined): SecretReference | undefined {
  return text === undefined ? undefined : { value: text };
}
