import { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import type { Caller } from "../../auth/caller.ts";
import type { CallerSecrets, SetSecret } from "../../capabilities/secrets/caller-secrets.ts";
import { isSecretValue, SECRET_FORM } from "../../capabilities/secrets/secrets.ts";
import { isSecretName } from "../../config/config-secrets.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { toTime } from "../../text/to-time.ts";
import { readJson } from "../body.ts";
import { toJsonDocument } from "../document.ts";
import type { Reply } from "../reply.ts";

/** `/secrets` and `/secrets/{name}`: the caller's own. Values come in, and never go out. */
export function createSecretAnswers(secrets: CallerSecrets) {
  return Object.freeze({
    async list(caller: Caller): Promise<Reply> {
      return { document: toJsonDocument({ secrets: (await secrets.list(caller)).map(toShown) }) };
    },
    async set(caller: Caller, text: string, request: ServerRequest): Promise<Reply> {
      const name = readName(text);
      const value = await readValue(request);
      return { document: toJsonDocument(toShown(await secrets.set(caller, name, value))) };
    },
    async remove(caller: Caller, text: string): Promise<Response> {
      await secrets.remove(caller, readName(text));
      return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
    },
  });
}

function toShown({ name, setAt }: SetSecret) {
  return { name, setAt: toTime(setAt) };
}

function readName(text: string): string {
  if (isSecretName(text)) return text;
  // It may be the secret after all, so it is not repeated.
  const form = "capital letters, digits and `_`, at most 64, that begin with a letter";
  throw new CairnError("BAD_REQUEST", `The name of a secret is as tools' manifests have it: ${form}.`);
}

/** Reads `{"value": "..."}`. Errors never quote it. */
async function readValue(request: ServerRequest): Promise<string> {
  const sent = request.runtime?.node?.req;
  if (!(sent instanceof IncomingMessage)) throw new TypeError("Bodies are read from requests of Node's HTTP/1.1 only.");
  const body = await readJson(sent).catch((error: unknown) => {
    if (!(error instanceof CairnError) || error.name !== "PARSE_ERROR") throw error;
    throw new CairnError("PARSE_ERROR", 'The body is not well-formed JSON, such as {"value": "..."}.');
  });
  const value = isObject(body) && Object.keys(body).join() === "value" ? body["value"] : undefined;
  if (typeof value === "string" && isSecretValue(value)) return value;
  throw new CairnError("BAD_REQUEST", `The body must be a JSON object with one member, \`value\`: ${SECRET_FORM}.`);
}
