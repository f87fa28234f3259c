import { words } from "#words/parts.ts";
import type { ProblemDetails } from "./answers.ts";
import { loadPerson } from "./person.ts";
import { loadShownReader } from "./shown-reader.ts";
import { type RpcError, toRpcProblem } from "./rpc-problem.ts";

/** A refusal of the service, as problem details (RFC 9457). Its texts may quote what others wrote. */
export class ServiceError extends Error {
  readonly problem: ProblemDetails;

  constructor(problem: ProblemDetails) {
    super(problem.detail);
    this.name = "ServiceError";
    this.problem = problem;
  }
}

/** Name of the error of a service that did not answer. */
const UNREACHABLE = "UNREACHABLE";
/** Statuses by which a proxy says that the service behind it does not answer. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Says whether the service did not answer at all, as while it restarts. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ServiceError && error.problem.name === UNREACHABLE;
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sent as whoever the browser is signed in as: the page asks who that is. */
  readonly asWhoever?: true;
}

/**
 * Sends a request to the service as the reader of the page. The header has the service count the cookie of the reader, which
 * pages of others cannot send, and refuse it when another tab has signed in as somebody else since. Rejects with `ServiceError` where the service refuses.
 */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", body, headers, signal, asWhoever } = options;
  const person = loadPerson();
  const reader = asWhoever === undefined ? loadShownReader() : "";
  const sent = fetch(path, {
    method,
    headers: {
      accept: "application/json",
      "cairn-console": "1",
      ...(reader === "" ? {} : { "cairn-reader": reader }),
      ...(person === "" ? {} : { "cairn-person": person }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const response = await sent.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ServiceError(toUnreachable(String(error)));
  });
  if (response.ok) return response;
  throw new ServiceError(await readProblem(response));
}

/** Asks for JSON. `Answer` is what the schema of the address says: `answers.ts` has the types. */
export async function ask<Answer>(path: string, options?: RequestOptions): Promise<Answer> {
  const response = await send(path, options);
  return (await response.json()) as Answer;
}

async function readProblem(response: Response): Promise<ProblemDetails> {
  try {
    const body = (await response.json()) as ProblemDetails | { readonly error: RpcError };
    return "error" in body ? toRpcProblem(body.error, response.status) : body;
  } catch {
    // A proxy in between answered, or nobody.
    const { status, statusText } = response;
    if (AWAY.has(status)) return toUnreachable(`${status} ${statusText}`);
    return { type: "about:blank", title: statusText, status, detail: statusText, code: 0, name: "UNKNOWN" };
  }
}

function toUnreachable(detail: string): ProblemDetails {
  return { type: "about:blank", title: words.unreachable, status: 0, detail, code: 0, name: UNREACHABLE };
}
