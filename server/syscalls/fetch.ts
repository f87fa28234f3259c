import { CairnError } from "../errors.ts";
import { createArgumentCheck } from "./arguments.ts";
import { type FetcherOptions, type FetchRequest, type Fetched, openFetcher } from "./open-fetcher.ts";
import type { RunningCall } from "./running-call.ts";
import type { SyscallTable } from "./syscall.ts";

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

export interface FetchOptions extends FetcherOptions {
  readonly now: () => number;
  /** Put around every request that a tool may make: where calls are on trial, something else may answer. */
  readonly around?: (call: RunningCall, request: FetchRequest, send: () => Promise<Fetched>) => Promise<Fetched>;
}

/** `ctx.fetch`, and `close` for its connections. */
export function openFetchSyscall({ now, around = sendAtOnce, ...options }: FetchOptions): {
  readonly table: SyscallTable;
  readonly close: () => Promise<void>;
} {
  const fetcher = openFetcher(options);
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
        const request = { url, method, headers, ...(body === undefined ? {} : { body }) };
        const send = () => fetcher.fetch(request, call.tool.egress, patience, call.signal);
        return { ...(await around(call, request, send)) };
      },
    },
  };
  return { table, close: fetcher.close };
}

function sendAtOnce(_call: RunningCall, _request: FetchRequest, send: () => Promise<Fetched>): Promise<Fetched> {
  return send();
}
