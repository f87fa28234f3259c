import { readStart } from "../../../capabilities/model/open-provider.ts";
import { CairnError } from "../../../errors.ts";
import type { ModelLimits } from "./model-limits.ts";
import { isObject } from "../../../json/is-object.ts";

export interface GuardedFetchOptions {
  readonly limits: Pick<ModelLimits, "retries" | "retryWaitMs" | "answerBytes">;
  readonly fetch: typeof fetch;
  /** Rejects when the signal does. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Makes the endpoint's own words fit to be shown to the sender. */
  readonly toPlain: (text: string) => string;
}

/** Characters of a refusal that are read. */
const MAX_REFUSAL = 16_384;

/** Waits, where the endpoint does not say how long: this, and twice as long each time. */
const FIRST_WAIT_MS = 500;

/**
 * A `fetch` for one endpoint: no redirect is followed, which could lead texts and the key elsewhere; no answer is read
 * beyond its limit; a busy endpoint is asked again, no later than `retryWaitMs`. Rejects with UPSTREAM_ERROR for every
 * answer but success.
 */
export function createGuardedFetch({ limits, fetch, pause, toPlain }: GuardedFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(input, { ...init, redirect: "manual" });
      if (response.ok) return readWhole(response, limits.answerBytes);
      const body = await readStart(response, MAX_REFUSAL);
      if (response.status >= 300 && response.status < 400) {
        throw refuse("redirects to another address, which is not followed; set `CAIRN_MODEL_URL` to where it is.");
      }
      const wait = toWait(response, attempt);
      const refusal = explainRefusal(response.status, body, toPlain);
      if (!isBusy(response.status) || attempt >= limits.retries) throw refuse(refusal);
      if (wait > limits.retryWaitMs) {
        const asked = Number.isFinite(wait) ? `${Math.ceil(wait / 1000)} s` : "until a date";
        throw refuse(`${refusal} It asks to wait ${asked}; Cairn waits ${limits.retryWaitMs / 1000} s at most.`);
      }
      await pause(wait, signal);
    }
  };
}

function refuse(what: string): CairnError {
  return new CairnError("UPSTREAM_ERROR", `The model endpoint ${what}`);
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Milliseconds, from `Retry-After` in seconds; a date there counts as too long. */
function toWait(response: Response, attempt: number): number {
  const header = response.headers.get("retry-after")?.trim();
  if (header === undefined) return FIRST_WAIT_MS * 2 ** attempt;
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(header) ? Number(header) * 1000 : Infinity;
}

async function readWhole(response: Response, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Counted after unpacking, so that a small answer cannot become a large one.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) throw refuse(`answered with more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: 200, headers: { "content-type": "application/json" } });
}

/** Characters of the endpoint's own words that are shown. */
const SHOWN = 300;

const KEY = "It does not accept the key; check `CAIRN_MODEL_KEY`.";
/** What somebody who runs the service can do, by the status of an answer. */
const ADVICE: Readonly<Record<number, string>> = {
  401: KEY,
  402: "Its account has no credit left.",
  403: "It does not accept the key, or not for this model; check `CAIRN_MODEL_KEY` and `CAIRN_MODEL_NAME`.",
  404: "It has no such address or no such model; check `CAIRN_MODEL_URL`, to which `/chat/completions` is added, and `CAIRN_MODEL_NAME`.",
  405: "It has no such address; check `CAIRN_MODEL_URL`, to which `/chat/completions` is added.",
  413: "The request is too large for it.",
  429: "It is busy, or its quota is used up.",
};

/** Explains an answer without success: its status, what can be done, and the endpoint's own words from its body. */
function explainRefusal(status: number, body: string, toPlain: (text: string) => string): string {
  const words = toPlain(findWords(body)).replaceAll(/\s+/g, " ").trim();
  const shown = words.length > SHOWN ? `${words.slice(0, SHOWN).toWellFormed()} …` : words;
  // Google says so with 400.
  const isKey = status === 400 && /\bapi.?key\b/i.test(words);
  return [
    `answered with ${status}.`,
    (isKey ? KEY : ADVICE[status]) ?? (status >= 500 ? "The fault is its own." : ""),
    shown === "" ? "" : `It says: ${shown}`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Finds the message of an error in the forms that endpoints give it: `error.message`, `message`, `detail`, or a list of one. */
function findWords(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "";
  }
  for (let depth = 0; depth < 4; depth++) {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) value = value[0];
    else if (isObject(value)) value = value["error"] ?? value["message"] ?? value["detail"] ?? value["msg"];
    else return "";
  }
  return typeof value === "string" ? value : "";
}
