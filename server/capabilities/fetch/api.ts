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
