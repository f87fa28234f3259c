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
  /** Version segment of the address that it came to, as the caller wrote it; kept in the call's record. */
  readonly address?: string;
  /** Name of the client's program, with its version, as it says itself; kept in the call's record. */
  readonly client?: string;
}

/** Longer or stranger ids than that are replaced: they end up in logs and answers. */
const REQUEST_ID = /^[A-Za-z0-9._:+/=-]{1,128}$/;

/** Characters of a client's name, and of an address, that are kept. */
const MAX_NAME = 100;
const MAX_ADDRESS = 400;

/** Header that the console's pages send with every request, and the name of their client in records. */
export const CONSOLE = "cairn-console";

/** Finds the name of a client from the headers of a request. A page of the console has a header for that: browsers name themselves. */
export function findClientName(fromConsole: unknown, agent: unknown): string | undefined {
  if (fromConsole !== undefined && fromConsole !== null) return CONSOLE;
  return typeof agent === "string" && agent !== "" ? toClientName(agent) : undefined;
}

/** Says whether a client calls itself the console: a person looks at pages there, or tries a tool. */
export function isConsole(client: string | undefined): boolean {
  return client?.split("/", 1)[0] === CONSOLE;
}

/** From a request's headers, which Node gives in lower case. */
export function toOrigin(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  createId: () => string,
  method?: string,
  address?: string,
): Origin {
  const { "x-request-id": given, "user-agent": agent, [CONSOLE]: fromConsole, traceparent, tracestate } = headers;
  const client = findClientName(fromConsole, agent);
  const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : createId();
  return {
    requestId,
    ...(method === undefined ? {} : { method }),
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    ...(typeof tracestate === "string" ? { tracestate } : {}),
    ...(address === undefined ? {} : { address: address.slice(0, MAX_ADDRESS) }),
    ...(client === undefined ? {} : { client }),
  };
}

/** The origin with the client that a message names in `clientInfo`, which tells more than a header of its HTTP library. */
export function withClient(origin: Origin, info: unknown): Origin {
  const { name, version } = (info ?? {}) as { name?: unknown; version?: unknown };
  if (typeof name !== "string" || name === "") return origin;
  return { ...origin, client: toClientName(typeof version === "string" ? `${name}/${version}` : name) };
}

/** Cuts the name of a client that a caller sent, and leaves out what terminals would act on. */
function toClientName(text: string): string {
  return text.slice(0, MAX_NAME).replace(/[^\x20-\x7e]/g, "?");
}

/** The message's own context, in `_meta` (SEP-414), is nearer to the call than that of the request around it. */
export function withTraceOf(origin: Origin, meta: unknown): Origin {
  const { traceparent, tracestate } = (meta ?? {}) as { traceparent?: unknown; tracestate?: unknown };
  if (typeof traceparent !== "string") return origin;
  const { tracestate: _around, ...rest } = origin;
  return {
    ...rest,
    traceparent,
    ...(typeof tracestate === "string" ? { tracestate } : {}),
  };
}
