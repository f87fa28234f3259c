import { CairnError } from "../errors.ts";
import { createArgumentCheck } from "./arguments.ts";
import { type FetcherOptions, openFetcher } from "./open-fetcher.ts";
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
}

/** `ctx.fetch`, and `close` for its connections. */
export function openFetchSyscall({ now, ...options }: FetchOptions): {
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
        return { ...(await fetcher.fetch(request, call.tool.egress, patience, call.signal)) };
      },
    },
  };
  return { table, close: fetcher.close };
}
