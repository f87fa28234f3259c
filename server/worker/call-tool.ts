import { CairnError, type ErrorName, isErrorName } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import type { Sleep } from "./sleep.ts";

export interface ServiceAddress {
  /** Address of Cairn, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** A version, range, label or commit. */
  readonly version: string;
  readonly token?: string | undefined;
  /** Name that the caller goes by, for a service without tokens. */
  readonly person?: string | undefined;
}

/** Varying surroundings: the network, time and chance. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: Sleep;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A new idempotency key. */
  readonly createKey: () => string;
  /** Number of times that a request is sent before its failure is reported. A minute of waiting for a limit is worth as much. */
  readonly attempts: number;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: object;
  /** True if the request changes anything: then it has a key, and takes effect once however often it is sent. */
  readonly isEffect: boolean;
  /** Milliseconds to wait for one answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds to the second attempt, at most; twice as long to each further one, up to the limit. */
const BACKOFF_MS = 250;
const BACKOFF_LIMIT_MS = 10_000;
/** Longest wait in milliseconds that a service may ask for; a request that would wait longer fails instead. */
const RETRY_AFTER_LIMIT_MS = 60_000;
/** Milliseconds that a request waits in all, for each of its attempts, until a limit lets it pass. */
const LIMIT_PATIENCE_MS = 60_000;

/** Statuses after which a repetition may succeed: the service was busy, about to end, or could not be reached. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * One call of a tool by REST. What is no answer of the tool's own is sent again, with the same key. A limit that says when to
 * come back is no failure: the request waits for its turn, as others use the same allowance and may be faster.
 *
 * @throws the error that the service names; UNAVAILABLE where it could not be reached; CANCELLED once `signal` says so.
 */
export async function callTool(address: ServiceAddress, call: ToolCall, surroundings: Surroundings): Promise<unknown> {
  const { sleep, random, attempts } = surroundings;
  const key = call.isEffect ? surroundings.createKey() : undefined;
  let limitedMs = 0;
  for (let sent = 1, failures = 0; ; sent++) {
    if (call.signal?.aborted === true) throw new CairnError("CANCELLED", `\`${call.tool}\` was given up.`);
    const answer = await send(address, call, key, surroundings.fetch);
    if (answer.ok) return answer.output;
    const { error, isTransient, retryAfterMs = 0 } = answer;
    const waitMs = retryAfterMs + toBackoff(sent, random());
    if (error.name === "RATE_LIMITED" && answer.retryAfterMs !== undefined) limitedMs += waitMs;
    else failures++;
    const isOver = failures === attempts || limitedMs > attempts * LIMIT_PATIENCE_MS;
    if (!isTransient || isOver || retryAfterMs > RETRY_AFTER_LIMIT_MS) throw error;
    await sleep(waitMs, call.signal);
  }
}

/** Anything from half of the longest wait to all of it, so that those who failed together do not come back together. */
function toBackoff(attempt: number, chance: number): number {
  return (Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** (attempt - 1)) * (1 + chance)) / 2;
}

type Answer =
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly error: CairnError;
      readonly isTransient: boolean;
      readonly retryAfterMs?: number;
    };

async function send(
  { url, version, token, person }: ServiceAddress,
  { tool, input, timeoutMs, signal }: ToolCall,
  key: string | undefined,
  fetch: Surroundings["fetch"],
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${url}/agent/${encodeURIComponent(version)}/api/tools/${tool}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(person === undefined ? {} : { "cairn-person": person }),
      },
      body: JSON.stringify(input),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    // Half an answer is none: the connection broke, and the key finds the whole of it.
    const text = await response.text();
    return readAnswer(response, text, `${url} (\`${tool}\`)`);
  } catch (cause) {
    const why = signal?.aborted === true ? "was given up" : timeout.aborted ? "took too long" : "found no service";
    const name = signal?.aborted === true ? "CANCELLED" : "UNAVAILABLE";
    const error = new CairnError(name, `The call of \`${tool}\` at ${url} ${why}.`, { cause });
    return { ok: false, error, isTransient: name === "UNAVAILABLE" };
  }
}

function readAnswer({ ok, status, headers }: Response, text: string, where: string): Answer {
  const body = readBody(text);
  if (ok && status === 200 && isObject(body)) return { ok, output: body };
  const problem = isObject(body) ? body : {};
  const { name, detail, details } = problem;
  const message = typeof detail === "string" ? detail : `${where} answered ${status}, and not as Cairn does.`;
  const known = typeof name === "string" && isErrorName(name) ? name : (BY_STATUS.get(status) ?? "UPSTREAM_ERROR");
  // A proxy may take the header away; limits of Cairn say it with their error, too.
  const said = isObject(details) ? details["retryAfter"] : undefined;
  const seconds = Number(headers.get("retry-after") ?? said ?? Number.NaN);
  return {
    ok: false,
    error: new CairnError(known, message, details === undefined ? {} : { details }),
    isTransient: TRANSIENT.has(status),
    ...(Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {}),
  };
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page of a proxy, which the status alone tells about.
    return undefined;
  }
}

const BY_STATUS: ReadonlyMap<number, ErrorName> = new Map([
  [400, "BAD_REQUEST"],
  [401, "UNAUTHENTICATED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
  [409, "CONFLICT"],
  [413, "PAYLOAD_TOO_LARGE"],
  [429, "RATE_LIMITED"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "UNAVAILABLE"],
]);
