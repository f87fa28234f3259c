import type { IncomingMessage, ServerResponse } from "node:http";
import { CairnError, errorRow, toErrorBody } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Health } from "../../operations/health.ts";
import { type FindClient, toCredentials } from "../find-client.ts";
import type { createGuard } from "../guards.ts";
import type { MayRead } from "../may-read.ts";
import { RETRY_AFTER } from "../problem.ts";

export interface OperationsOptions {
  readonly readHealth: () => Promise<Health>;
  readonly readMetrics: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly mayRead: MayRead;
  readonly findClient: FindClient;
  readonly guard: ReturnType<typeof createGuard>;
  readonly isDraining: () => boolean;
  readonly createId: () => string;
  readonly log: Log;
}

/** Addresses that a listener of their own answers to GET. */
export const OPERATIONS: readonly string[] = Object.freeze(["/healthz", "/readyz", "/metrics"]);

type Listener = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * `/healthz`, `/readyz` and `/metrics`, and the refusal of everything else once the service ends. Comes before all other
 * routes, so that what goes wrong there does not hide it. Tells whether it takes the request.
 */
export function createOperationsListener(options: OperationsOptions): Listener {
  const { readHealth, readMetrics, mayRead, findClient, guard, isDraining, createId, log } = options;

  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>([
    ["/healthz", async (_request, response) => send(response, 200, HEALTH_TYPE, JSON.stringify({ status: "pass" }))],
    [
      "/readyz",
      async (request, response) => {
        // At once, and not what was found a second ago.
        if (isDraining()) throw new CairnError("UNAVAILABLE", "The service is ending.");
        const [health, seesDetails] = await Promise.all([readHealth(), maySeeSoon(request, "/readyz")]);
        const shown = seesDetails ? health : toSummary(health);
        send(response, health.status === "fail" ? 503 : 200, HEALTH_TYPE, JSON.stringify(shown));
      },
    ],
    [
      "/metrics",
      async (request, response) => {
        guard(request.headers.host, request.headers.origin);
        if (!(await maySee(request, "/metrics"))) {
          const isAnonymous = request.headers.authorization === undefined && request.headers.origin === undefined;
          throw new CairnError(
            isAnonymous ? "UNAUTHENTICATED" : "FORBIDDEN",
            "Metrics are for credentials with the scope `metrics:read`.",
          );
        }
        const { type, text } = await readMetrics();
        send(response, 200, type, text);
      },
    ],
  ]);

  return (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const answer = isRead ? answers.get(toPath(request.url ?? "")) : undefined;
    if (answer === undefined && !isDraining()) return false;
    const ending = new CairnError("UNAVAILABLE", "The service is ending and takes nothing new; try again.");
    (answer?.(request, response) ?? Promise.reject(ending)).catch((error: unknown) => fail(response, error));
    return true;
  };

  /** Details, unlike the summary, are not for pages whose name was rebound to this machine (DNS rebinding). */
  async function maySee(request: IncomingMessage, path: string): Promise<boolean> {
    try {
      guard(request.headers.host, request.headers.origin);
    } catch {
      return false;
    }
    return mayRead(toCredentials(request, path, findClient));
  }

  /** As `maySee`; false where a store that does not answer would have to say who asks. Probes do not wait for that. */
  async function maySeeSoon(request: IncomingMessage, path: string): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, SEE_MS, false);
    try {
      return await Promise.race([maySee(request, path), late]);
    } catch (error) {
      if (error instanceof CairnError && error.name === "UNAVAILABLE") return false;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  function fail(response: ServerResponse, error: unknown): void {
    const incident = createId();
    const { status, exposed } = errorRow(error);
    if (!exposed) log.error({ err: error, incident }, "request failed");
    if (isDraining()) response.setHeader("connection", "close");
    if (status === 401) response.setHeader("www-authenticate", "Bearer");
    if (status === 503) response.setHeader("retry-after", RETRY_AFTER);
    const { code, name, message } = toErrorBody(error, incident);
    const problem = { type: `urn:cairn:error:${name}`, status, detail: message, code, name };
    send(response, status, "application/problem+json", JSON.stringify(problem));
  }
}

/** Milliseconds to learn who asks about the health, as long as a check of it may take. */
const SEE_MS = 1_000;
const HEALTH_TYPE = "application/health+json";

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const headers = { "content-type": type, "cache-control": "no-store", "content-length": Buffer.byteLength(body) };
  // Node itself leaves the body out of answers to HEAD.
  response.writeHead(status, headers).end(body);
}

/** Summarises the state of each part, without observed values: names of versions are confidential. */
function toSummary({ status, checks, time }: Health): Health {
  const statuses = Object.entries(checks).map(([name, check]) => [name, { status: check.status }] as const);
  return { status, checks: Object.fromEntries(statuses), time };
}

function toPath(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}
