import { validateHeaderName, validateHeaderValue } from "node:http";
import { CairnError } from "../../errors.ts";
import { createArgumentCheck } from "../../kernel/arguments.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { loadCarrier } from "./carry-secrets.ts";
import { type FetcherOptions, type FetchRequest, type Fetched, openFetcher } from "./open-fetcher.ts";
import { isHeaderOfConnection } from "./api.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls, type SyscallTable } from "../../kernel/dispatch.ts";

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
  /** Absent: requests carry no secrets. */
  readonly secrets?: Secrets;
  /** Put around every request that a tool may make: where calls are on trial, something else may answer. */
  readonly aroundFetch?: (call: RunningCall, request: FetchRequest, send: () => Promise<Fetched>) => Promise<Fetched>;
}

/** `ctx.fetch`, and `close` for its connections. */
export function openFetchSyscall({ now, secrets, aroundFetch = sendAtOnce, ...options }: FetchOptions): {
  readonly table: SyscallTable<"fetch">;
  readonly close: () => Promise<void>;
} {
  const fetcher = openFetcher(options);
  const table = defineSyscalls({
    async fetch(call, args) {
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
      assertHeaders(headers);
      if (body !== undefined && (method === "GET" || method === "HEAD")) {
        throw new CairnError("BAD_REQUEST", `\`ctx.fetch\`: a ${method} request has no body.`);
      }
      const patience = Math.max(1, Math.min(timeout, call.deadline - now()));
      const request = { url, method, headers, ...(body === undefined ? {} : { body }) };
      // Within what stands in for hosts, so that recordings and replays never have a secret.
      const send = async () => {
        const carrier = secrets && (await loadCarrier(secrets, call.tool, call.principal, url));
        return fetcher.fetch(request, call.tool.egress, patience, call.signal, carrier);
      };
      return { ...(await aroundFetch(call, request, send)) };
    },
  });
  return { table, close: fetcher.close };
}

function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isHeaderOfConnection(name)) {
      throw new CairnError(
        "BAD_REQUEST",
        `\`ctx.fetch\`: the header \`${name.toLowerCase()}\` is set by Cairn; leave it out.`,
      );
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      const text = `\`ctx.fetch\`: ${JSON.stringify(name)} is not a header that HTTP can carry, or its value is not.`;
      throw new CairnError("BAD_REQUEST", text, { cause: error });
    }
  }
}

function sendAtOnce(_call: RunningCall, _request: FetchRequest, send: () => Promise<Fetched>): Promise<Fetched> {
  return send();
}
