import { readStart } from "../../../capabilities/model/open-provider.ts";
import { CairnError } from "../../../errors.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { ModelLimits } from "./model-limits.ts";

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
