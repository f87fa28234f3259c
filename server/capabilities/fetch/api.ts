import type { Grant, SyscallDeclaration } from "../declaration.ts";

export interface FetchInit {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Those of the connection and of framing (`host`, `expect`, `content-length`, `proxy-*`, ...) are refused with BAD_REQUEST. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Not with GET and HEAD. */
  readonly body?: string;
  /** Milliseconds; never longer than the call has left. */
  readonly timeout?: number;
}

export interface FetchResponse {
  readonly status: number;
  readonly ok: boolean;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  text(): string;
  json<T = unknown>(): T;
}

export const FETCH_GRANTS = {
  fetch: { breaks: ["deterministic"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.fetch`. */
export const FETCH = {
  name: "fetch",
  takes: ["url", ["method?", "headers?", "body?", "timeout?"]],
  needs: "fetch",
  inPreviews: true,
} as const satisfies SyscallDeclaration<keyof typeof FETCH_GRANTS>;

/**
 * Headers that speak about one connection or about where a message ends on it (RFC 9110, sections 7.2, 7.6.1, 7.8, 8.6,
 * 10.1.1; RFC 9112, section 6; RFC 9113, section 3.2.1). The connection is shared with other calls, so they are not a handler's:
 * request smuggling and starved connections begin with them.
 */
const OF_CONNECTIONS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Checks that a header is the connection's, and so neither a handler's nor a secret's. */
export function isHeaderOfConnection(name: string): boolean {
  const lower = name.toLowerCase();
  return OF_CONNECTIONS.has(lower) || lower.startsWith("proxy-");
}
