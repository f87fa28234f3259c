/** The request that brought a call, as logs and traces name it. */
export interface Origin {
  readonly requestId: string;
  /** The environment that the caller's side says it runs in; kept in the call's record. */
  readonly environment?: string;
  /** The protocol's method, such as `tools/call`; absent where the address alone says what is wanted. */
  readonly method?: string;
  /** W3C Trace Context, as it came and unchecked. */
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** Longer or stranger ids than that are replaced: they end up in logs and answers. */
const REQUEST_ID = /^[A-Za-z0-9._:+/=-]{1,128}$/;

/** From a request's headers, which Node gives in lower case. */
export function toOrigin(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  createId: () => string,
  method?: string,
): Origin {
  const { "x-request-id": given, traceparent, tracestate } = headers;
  const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : createId();
  return {
    requestId,
    ...(method === undefined ? {} : { method }),
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    ...(typeof tracestate === "string" ? { tracestate } : {}),
  };
}

/** The message's own context, in `_meta` (SEP-414), is nearer to the call than that of the request around it. */
export function withTraceOf(origin: Origin, meta: unknown): Origin {
  const { traceparent, tracestate } = (meta ?? {}) as { traceparent?: unknown; tracestate?: unknown };
  if (typeof traceparent !== "string") return origin;
  const { requestId, method } = origin;
  return {
    requestId,
    ...(method === undefined ? {} : { method }),
    traceparent,
    ...(typeof tracestate === "string" ? { tracestate } : {}),
  };
}
