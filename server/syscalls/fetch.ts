import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher, fetch, type Response } from "undici";
import { CairnError } from "../errors.ts";
import { createArgumentCheck } from "./arguments.ts";
import { type Target, toTarget } from "./egress.ts";
import { publicOnly, refusePrivateLiteral } from "./public-only.ts";
import type { RunningCall } from "./running-call.ts";
import type { SyscallTable } from "./syscall.ts";

/** Bytes of one response's body. */
export const FETCH_BODY_LIMIT = 4 * 1024 * 1024;
const REDIRECT_LIMIT = 5;
const DEFAULT_TIMEOUT = 10_000;

interface FetchArguments {
  url: string;
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string;
  timeout?: number;
}

const fetchArguments = createArgumentCheck<FetchArguments>("fetch", {
  type: "object",
  required: ["url"],
  properties: {
    url: { type: "string", maxLength: 8192 },
    method: { enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] },
    headers: { type: "object", additionalProperties: { type: "string" } },
    body: { type: "string" },
    timeout: { type: "number", exclusiveMinimum: 0 },
  },
});

export interface FetchOptions {
  readonly egressMap: ReadonlyMap<string, string>;
  readonly now: () => number;
  /** Resolves names; the addresses it gives are judged before anything connects to them. */
  readonly lookup?: LookupFunction;
}

/** `ctx.fetch`, and `close` for its connections. */
export function openFetchSyscall({ egressMap, now, lookup = systemLookup as LookupFunction }: FetchOptions): {
  readonly table: SyscallTable;
  readonly close: () => Promise<void>;
} {
  // Two pools, so that a connection the operator allowed to a private address is never reused for a tool's own choice.
  const guarded = new Agent({ connect: { lookup: publicOnly(lookup) } });
  const mapped = new Agent();

  const table: SyscallTable = {
    fetch: {
      needs: "fetch",
      async run(call, args) {
        const { url, method = "GET", headers = {}, body, timeout = DEFAULT_TIMEOUT } = fetchArguments(args);
        if (method !== "GET" && method !== "HEAD") {
          if (!call.tool.sideEffect) {
            throw new CairnError(
              "FORBIDDEN",
              `\`${call.tool.name}\` says \`sideEffect: false\` and so may fetch with GET and HEAD only, not ${method}.`,
            );
          }
          call.effects.markIrreversible();
        }
        const patience = Math.max(1, Math.min(timeout, call.deadline - now()));
        const signal = AbortSignal.any([call.signal, AbortSignal.timeout(patience)]);
        const send = (target: Target, request: { method: string; headers: Record<string, string>; body?: string }) =>
          fetch(target.actual, {
            ...request,
            redirect: "manual",
            signal,
            dispatcher: (target.mapped ? mapped : guarded) as Dispatcher,
          });
        const request = body === undefined ? { method, headers } : { method, headers, body };
        const host = URL.parse(url)?.host ?? "";
        try {
          const response = await follow(call, url, request, egressMap, send);
          return {
            status: response.status,
            headers: Object.fromEntries(response.headers),
            body: await readBody(response),
          };
        } catch (error) {
          throw toCairnError(error, host, patience);
        }
      },
    },
  };
  return {
    table,
    close: async () => {
      await Promise.all([guarded.destroy(), mapped.destroy()]);
    },
  };
}

/** Sends and follows redirects by hand: each hop must pass the same checks as the first request. */
async function follow(
  call: RunningCall,
  first: string,
  request: { method: string; headers: Record<string, string>; body?: string },
  egressMap: ReadonlyMap<string, string>,
  send: (
    target: Target,
    request: { method: string; headers: Record<string, string>; body?: string },
  ) => Promise<Response>,
): Promise<Response> {
  let target = toTarget(first, call.tool.egress, egressMap);
  let current = request;
  for (let hops = 0; ; hops++) {
    if (!target.mapped) refusePrivateLiteral(target.actual);
    const response = await send(target, current);
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    if (hops === REDIRECT_LIMIT) {
      throw new CairnError("UPSTREAM_ERROR", `\`${target.url.host}\` redirected more than ${REDIRECT_LIMIT} times.`);
    }
    const next = toTarget(URL.parse(location, target.url.href) ?? location, call.tool.egress, egressMap);
    current = redirected(current, response.status, next.url.origin === target.url.origin);
    target = next;
  }
}

/** The Fetch standard's rules (HTTP-redirect fetch): when the method changes, and which headers must not travel on. */
function redirected(
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
  status: number,
  sameOrigin: boolean,
): { method: string; headers: Record<string, string>; body?: string } {
  const kept = sameOrigin
    ? headers
    : Object.fromEntries(
        Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie|proxy-authorization)$/i.test(name)),
      );
  const toGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  if (toGet) return { method: "GET", headers: kept };
  return body === undefined ? { method, headers: kept } : { method, headers: kept, body };
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > FETCH_BODY_LIMIT) {
      throw new CairnError(
        "UPSTREAM_ERROR",
        `The answer is larger than the ${FETCH_BODY_LIMIT} bytes a tool may fetch.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toCairnError(error: unknown, host: string, patience: number): CairnError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof CairnError) return cause;
    if (cause.name === "TimeoutError") {
      return new CairnError("UPSTREAM_TIMEOUT", `\`${host}\` did not answer within ${Math.round(patience)} ms.`);
    }
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return new CairnError(
    "UPSTREAM_ERROR",
    `\`${host}\` could not be reached${typeof code === "string" ? ` (${code})` : ""}.`,
    { cause: error },
  );
}
