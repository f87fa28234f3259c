import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js";
import { CairnError } from "../errors.ts";
import type { ClientAbilities } from "../host-api.ts";
import { toOrigin, withClient } from "../kernel/origin.ts";
import type { Log } from "../log/log.ts";
import type { Principal } from "../principal.ts";
import type { AddressWatch } from "./address-watch.ts";
import { type ClientQuestions, createClientQuestions, toAbilities } from "./client-questions.ts";
import { createSubscribing } from "./create-subscribing.ts";
import type { Endpoint, Request } from "./endpoint.ts";
import { type SessionEvent, type SessionEvents, toUnsentAnswer } from "./event-store.ts";
import type { Exchange, SessionState } from "./exchange.ts";
import { readMessage, type RequestId, writeNotification } from "./json-rpc.ts";
import { createRequestIds } from "./request-ids.ts";

/** Milliseconds after which a client whose stream was closed should come back for the rest. */
const RETRY_MS = 1000;
/** An event that says nothing. */
const COMMENT = new TextEncoder().encode(":\n\n");

/** One client's connection to one address, in revisions of MCP that have such a thing. */
export interface Session {
  readonly id: string;
  /** Answers one HTTP request of the session; `endpoint` is what its address means now, `principal` who sent it. */
  handle(request: globalThis.Request, body: unknown, endpoint: Endpoint, principal: Principal): Promise<Response>;
  /** Says whether nothing waits for an answer and no stream is open. */
  isIdle(): boolean;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly id: string;
  readonly events: SessionEvents;
  readonly watch?: AddressWatch;
  readonly createId: () => string;
  readonly log: Log;
  readonly onClosed: () => void;
}

/** Sender of a request, with the meaning of its address at that moment. */
interface Sender {
  readonly endpoint: Endpoint;
  readonly principal: Principal;
  /** Version segment of the address. */
  readonly address: string;
}

type Headers = Parameters<typeof toOrigin>[0];

/** A session from inside. */
interface Own extends SessionOptions {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly running: Map<RequestId, AbortController>;
  readonly ids: ReturnType<typeof createRequestIds>;
  readonly questions: ClientQuestions;
  readonly subscriptions: Map<string, () => void>;
  /** The session as handlers can use it. */
  readonly state: SessionState;
  readonly stopWatching: (() => void) | undefined;
  client: ClientAbilities;
  /** `clientInfo` of the client, unchecked. */
  clientInfo: unknown;
  streams: number;
}

/**
 * Creates a session that the SDK's transport carries: its id, its streams, and their resumption. What its messages mean is the
 * endpoint's business, as everywhere.
 */
export function createSession(options: SessionOptions): Session {
  const { id, events, watch, log } = options;
  // The transport hands on the object that came with a message, so that no request runs with the rights of another.
  const senders = new WeakMap<AuthInfo, Sender>();
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: events,
    retryInterval: RETRY_MS,
    onsessionclosed: () => void close(own),
  });
  Object.assign(transport, {
    onerror: (error: Error) => log.debug({ err: error, session: id }, "session"),
    onmessage: (message: JSONRPCMessage, { authInfo, requestInfo }: MessageExtraInfo) =>
      void take(own, message, authInfo && senders.get(authInfo), requestInfo?.headers ?? {}).catch((error: unknown) => {
        log.error({ err: error, session: id }, "session: message failed");
      }),
  });
  const tell = (text: string) => void send({ id, transport, log }, text);
  const questions = createClientQuestions((text, request) => void send({ id, transport, log }, text, request));
  const subscriptions: Own["subscriptions"] = new Map();
  const own: Own = {
    ...options,
    transport,
    running: new Map(),
    ids: createRequestIds(),
    questions,
    subscriptions,
    state: {
      logLevel: "info",
      async ask(request, asked, signal) {
        return new Map(await Promise.all(asked.map((question) => questions.ask(question, request, signal))));
      },
      ...createSubscribing(subscriptions, tell),
    },
    stopWatching: watch?.(({ tools, prompts, resources }) => {
      if (tools) tell(writeNotification("notifications/tools/list_changed", {}));
      if (prompts) tell(writeNotification("notifications/prompts/list_changed", {}));
      if (resources) tell(writeNotification("notifications/resources/list_changed", {}));
    }),
    client: { elicit: false, sample: false, roots: false },
    clientInfo: undefined,
    streams: 0,
  };
  return {
    id,
    handle(request, body, endpoint, principal) {
      const authInfo: AuthInfo = { token: "", clientId: principal.actor, scopes: [] };
      senders.set(authInfo, { endpoint, principal, address: new URL(request.url).pathname.split("/")[2] ?? "" });
      return handle(own, request, body, authInfo);
    },
    isIdle: () => own.running.size === 0 && own.streams === 0,
    close: () => close(own),
  };
}

function send(
  { id, transport, log }: Pick<Own, "id" | "transport" | "log">,
  text: string,
  relatedRequestId?: RequestId,
) {
  const options = relatedRequestId === undefined ? {} : { relatedRequestId };
  return transport.send(JSON.parse(text) as JSONRPCMessage, options).catch((error: unknown) => {
    log.debug({ err: error, session: id }, "session: message not sent");
  });
}

async function handle(own: Own, request: globalThis.Request, body: unknown, authInfo: AuthInfo): Promise<Response> {
  const { id, events, ids, transport } = own;
  const lastEvent = request.method === "GET" ? request.headers.get("last-event-id") : null;
  const rest = lastEvent === null ? undefined : await events.findRest(lastEvent);
  // The transport would keep a stream open on which nothing can come any more; after 204, clients do not come back (SSE).
  if (rest !== undefined) return rest.length === 0 ? new Response(null, { status: 204 }) : toStream(id, rest);
  const message = body === undefined ? undefined : readMessage(body);
  if (message !== undefined) ids.take(message);
  const response = await transport.handleRequest(request, { parsedBody: body, authInfo });
  // What the transport refuses is answered by nobody else.
  if (!response.ok && message?.kind === "request") ids.release(message.id);
  if (transport.sessionId === undefined) {
    await close(own);
    throw new CairnError(
      "BAD_REQUEST",
      "`initialize` must have `protocolVersion`, a string, `capabilities`, an object, and `clientInfo` with `name` and `version`.",
    );
  }
  if (!response.ok) throw await toRefusal(response);
  return request.method === "GET" && response.body !== null ? counted(own, response) : response;
}

/** Converts what the transport refuses to Cairn's own error. */
async function toRefusal(response: Response): Promise<CairnError> {
  if (response.status === 409) {
    return new CairnError("CONFLICT", "This stream of the session is open already; close it, then open it anew.");
  }
  if (response.status >= 500) return new CairnError("INTERNAL_ERROR", "The transport of the session failed.");
  const { error } = (await response.json()) as { readonly error?: { readonly message?: string } };
  return new CairnError(
    "INVALID_REQUEST",
    `The message is not taken in this session: ${error?.message ?? "it is wrong"}.`,
  );
}

async function take(own: Own, raw: JSONRPCMessage, sender: Sender | undefined, headers: Headers): Promise<void> {
  const message = readMessage(raw);
  if (message.kind === "response") {
    own.questions.take(message);
  } else if (message.kind === "notification") {
    if (message.method === "notifications/cancelled") await cancel(own, message.params["requestId"] as RequestId);
  } else if (sender !== undefined) {
    if (message.method === "initialize") {
      own.client = toAbilities(message.params["capabilities"]);
      own.clientInfo = message.params["clientInfo"];
    }
    await answer(own, message, sender, headers);
  }
}

/** Ends a call and its stream. Nothing answers it, and nothing is there for a client that resumes the stream. */
async function cancel({ running, transport, log, id }: Own, requestId: RequestId): Promise<void> {
  const controller = running.get(requestId);
  if (controller === undefined || controller.signal.aborted) return;
  controller.abort();
  transport.closeSSEStream(requestId);
  const hear = (error: unknown) => log.debug({ err: error, session: id }, "session: no event to resume behind");
  await transport.send(toUnsentAnswer(requestId)).catch(hear);
}

async function answer(own: Own, request: Request, { endpoint, principal, address }: Sender, headers: Headers) {
  const controller = new AbortController();
  own.running.set(request.id, controller);
  const exchange: Exchange = {
    principal,
    origin: withClient(toOrigin(headers, own.createId, request.method, address), own.clientInfo),
    modern: false,
    signal: controller.signal,
    client: own.client,
    idempotencyKey: headers["idempotency-key"],
    logLevel: own.state.logLevel,
    session: own.state,
    send: (text) => send(own, text, request.id),
    ...(own.watch === undefined ? {} : { watch: own.watch }),
  };
  const answered = await endpoint(request, exchange);
  own.running.delete(request.id);
  // A cancelled request gets no answer.
  if (answered !== undefined && !controller.signal.aborted) await send(own, answered.pieces.join(""));
  own.ids.release(request.id);
}

/** Counts the response as long as it is open. It begins at once, as its client waits for the headers that come with it. */
function counted(own: Own, response: Response): Response {
  own.streams += 1;
  const through = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(COMMENT),
  });
  void response.body
    ?.pipeTo(through.writable)
    .catch(() => undefined)
    .finally(() => (own.streams -= 1));
  return new Response(through.readable, { status: response.status, headers: response.headers });
}

async function close(own: Own): Promise<void> {
  own.onClosed();
  own.stopWatching?.();
  for (const stop of own.subscriptions.values()) stop();
  own.subscriptions.clear();
  for (const controller of own.running.values()) controller.abort();
  own.questions.close();
  await own.transport.close();
}

function toStream(sessionId: string, events: readonly SessionEvent[]): Response {
  const text = events.map(({ id, message }) => `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  return new Response(text.join(""), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache", "mcp-session-id": sessionId },
  });
}
