import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import { defined } from "../json/defined.ts";
import { readBounded } from "../text/read-bounded.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends a request to the authorization server; `undefined` when it has nothing at that address (404). */
export type AskIssuer = (
  url: string,
  request?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** Milliseconds until an answer must be there as a whole: callers wait for it. */
const TIMEOUT = 5_000;
/** Bytes that an answer may have. Key sets have a few kilobytes. */
const ANSWER_LIMIT = 256 * 1024;

/**
 * Requests to the authorization server. What does not answer, or with something else than an object, is UNAVAILABLE, with
 * the reason for `warn` only. Redirects are not followed: they would take keys, or a client's secret, elsewhere.
 */
export function createAskIssuer(fetch: Fetch, warn: (reason: string) => void, timeout = TIMEOUT): AskIssuer {
  return async (url, { headers, body } = {}) => {
    try {
      const response = await fetch(url, {
        method: body === undefined ? "GET" : "POST",
        headers: { accept: "application/json", ...headers },
        ...defined({ body }),
        redirect: "error",
        signal: AbortSignal.timeout(timeout),
      });
      if (response.status === 404) return void (await response.body?.cancel());
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new Error(`it answered ${response.status}`);
      }
      const answer: unknown = JSON.parse(await readLimited(response));
      if (!isObject(answer)) throw new Error("its answer is no JSON object");
      return answer;
    } catch (error) {
      warn(`${url}: ${toReason(error)}`);
      throw createUnreachable();
    }
  };
}

export function createUnreachable(): CairnError {
  return new CairnError("UNAVAILABLE", "The authorization server cannot be asked about the token now; try again.");
}

/** Network failures hide what happened in their cause. An answer that is no JSON is not shown: it may hold a token. */
export function toReason(error: unknown): string {
  if (error instanceof SyntaxError) return "its answer is no JSON";
  if (!(error instanceof Error)) return "unknown";
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Reads a body of at most ANSWER_LIMIT bytes. */
export async function readLimited(response: Response): Promise<string> {
  const text = await readBounded(response, ANSWER_LIMIT);
  if (text === undefined) throw new Error(`its answer has more than ${ANSWER_LIMIT} bytes`);
  return text;
}
