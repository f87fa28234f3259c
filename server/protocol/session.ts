import type { Json } from "../json/types.ts";
import type { Cancellation } from "../cancellation.ts";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js";
import { CairnError } from "../errors.ts";
import type { ClientAbilities } from "../host-api.ts";
import { toOrigin } from "../kernel/origin.ts";
import { isObject } from "../json/is-object.ts";
import type { Log } from "../log/log.ts";
import type { Principal } from "../principal.ts";
import type { Question } from "../kernel/call.ts";
import type { AddressWatch } from "./address-watch.ts";
import type { Endpoint, Request } from "./endpoint.ts";
import type { SessionEvent, SessionEvents } from "./event-store.ts";
import type { Exchange, SessionState } from "./exchange.ts";
import { type Message, readMessage, type RequestId, writeNotification } from "./json-rpc.ts";
import { createRequestIds } from "./request-ids.ts";

/** Milliseconds after which a client whose stream was closed should come back for the rest. */
const RETRY_MS = 1000;
const SUBSCRIPTION_LIMIT = 100;
/** An event that says nothing. */
const COMMENT = new TextEncoder().encode(":\n\n");
/** Milliseconds that a person has for an answer. */
const ANSWER_LIMIT_MS = 30 * 60 * 1000;

/** One client's connection to one address, in revisions of MCP that have such a thing. */
export interface Session {
  readonly id: string;
  /** Answers one HTTP request of the session; `endpoint` is what its address means now, `principal` who sent it. */
  handle(request: globalThis.Request, body: unknown, endpoint: Endpoint, principal: Principal): Promise<Response>;
  /** Whether nothing waits for an answer and no stream is open. */
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

/** Who sent a request, and what its address meant then. */
interface Sender {
  readonly endpoint: Endpoint;
  readonly principal: Principal;
}

type Headers = Parameters<typeof toOrigin>[0];
type Reply = Extract<Message, { readonly kind: "response" }>;

/**
 * The SDK's transport carries the session: its id, its streams, and their resumption. What its messages mean is the
 * endpoint's business, as everywhere.
 */
export function createSession({ id, events, watch, createId, log, onClosed }: SessionOptions): Session {
  const running = new Map<RequestId, AbortController>();
  const ids = createRequestIds();
  const waiting = new Map<RequestId, (end: Reply | CairnError) => void>();
  const subscriptions = new Map<string, () => void>();
  // The transport hands on the object that came with a message, so that no request runs with the rights of another.
  const senders = new WeakMap<AuthInfo, Sender>();
  let client: ClientAbilities = { elicit: false, sample: false, roots: false };
  let asked = 0;
  let streams = 0;

  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: events,
    retryInterval: RETRY_MS,
    onsessionclosed: () => void close(),
  });
  Object.assign(transport, {
    onerror: (error: Error) => log.debug({ err: error, session: id }, "session"),
    onmessage: (message: JSONRPCMessage, { authInfo, requestInfo }: MessageExtraInfo) =>
      void take(message, authInfo && senders.get(authInfo), requestInfo?.headers ?? {}).catch((error: unknown) => {
        log.error({ err: error, session: id }, "session: message failed");
      }),
  });

  const send = (text: string, relatedRequestId?: RequestId): Promise<void> => {
    const options = relatedRequestId === undefined ? {} : { relatedRequestId };
    return transport.send(JSON.parse(text) as JSONRPCMessage, options).catch((error: unknown) => {
      log.debug({ err: error, session: id }, "session: message not sent");
    });
  };

  const state: SessionState = {
    logLevel: "info",
    async ask(request, questions, signal) {
      const answers = await Promise.all(questions.map((question) => askOne(question, request, signal)));
      return new Map(answers);
    },
    subscribe(uri, start) {
      if (!subscriptions.has(uri) && subscriptions.size >= SUBSCRIPTION_LIMIT) {
        throw new CairnError("RATE_LIMITED", `A session hears of at most ${SUBSCRIPTION_LIMIT} resources.`);
      }
      subscriptions.get(uri)?.();
      subscriptions.set(
        uri,
        start(() => send(writeNotification("notifications/resources/updated", { uri }))),
      );
    },
    unsubscribe(uri) {
      subscriptions.get(uri)?.();
      subscriptions.delete(uri);
    },
  };

  const stopWatching = watch?.(({ tools, prompts, resources }) => {
    if (tools) send(writeNotification("notifications/tools/list_changed", {}));
    if (prompts) send(writeNotification("notifications/prompts/list_changed", {}));
    if (resources) send(writeNotification("notifications/resources/list_changed", {}));
  });

  return {
    id,
    async handle(request, body, endpoint, principal) {
      const lastEvent = request.method === "GET" ? request.headers.get("last-event-id") : null;
      const rest = lastEvent === null ? undefined : await events.findRest(lastEvent);
      // The transport would keep a stream open on which nothing can come any more.
      if (rest !== undefined) return toStream(id, rest);
      const authInfo: AuthInfo = { token: "", clientId: principal.actor, scopes: [] };
      senders.set(authInfo, { endpoint, principal });
      const message = body === undefined ? undefined : readMessage(body);
      if (message !== undefined) ids.take(message);
      const response = await transport.handleRequest(request, { parsedBody: body, authInfo });
      // What the transport refuses is answered by nobody else.
      if (!response.ok && message?.kind === "request") ids.release(message.id);
      if (transport.sessionId === undefined) {
        await close();
        throw new CairnError(
          "BAD_REQUEST",
          "`initialize` must have `protocolVersion`, a string, `capabilities`, an object, and `clientInfo` with `name` and `version`.",
        );
      }
      return request.method === "GET" && response.body !== null ? counted(response) : response;
    },
    isIdle: () => running.size === 0 && streams === 0,
    close,
  };

  async function take(raw: JSONRPCMessage, sender: Sender | undefined, headers: Headers): Promise<void> {
    const message = readMessage(raw);
    if (message.kind === "response") {
      waiting.get(message.id)?.(message);
    } else if (message.kind === "notification") {
      if (message.method === "notifications/cancelled") running.get(message.params["requestId"] as RequestId)?.abort();
    } else if (sender !== undefined) {
      if (message.method === "initialize") client = toAbilities(message.params["capabilities"]);
      await answer(message, sender, headers);
    }
  }

  async function answer(request: Request, { endpoint, principal }: Sender, headers: Headers) {
    const controller = new AbortController();
    running.set(request.id, controller);
    const exchange: Exchange = {
      principal,
      origin: toOrigin(headers, createId, request.method),
      modern: false,
      signal: controller.signal,
      client,
      idempotencyKey: headers["idempotency-key"],
      logLevel: state.logLevel,
      session: state,
      send: (text) => send(text, request.id),
      ...(watch === undefined ? {} : { watch }),
    };
    const answered = await endpoint(request, exchange);
    running.delete(request.id);
    // A cancelled request gets no answer.
    if (answered !== undefined && !controller.signal.aborted) await send(answered.pieces.join(""));
    ids.release(request.id);
  }

  /** The answer under its question's key; rejects when the client refuses, or there is none in time. */
  function askOne(
    { key, method, params }: Question,
    request: RequestId,
    signal?: Cancellation,
  ): Promise<[string, Json]> {
    asked += 1;
    const questionId = `cairn-${asked}`;
    return new Promise((resolve, reject) => {
      const end = (reply: Reply | CairnError) => {
        waiting.delete(questionId);
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        if (reply instanceof CairnError) reject(reply);
        else if (reply.error === undefined) resolve([key, reply.result as Json]);
        else reject(new CairnError("UPSTREAM_ERROR", `The client refuses \`${method}\`: ${toText(reply.error)}.`));
      };
      const giveUp = () => end(new CairnError("CANCELLED", "The call was cancelled."));
      const late = new CairnError("UPSTREAM_TIMEOUT", `The client did not answer \`${method}\` in time.`);
      const timer = setTimeout(() => end(late), ANSWER_LIMIT_MS);
      waiting.set(questionId, end);
      signal?.addEventListener("abort", giveUp);
      if (signal?.aborted === true) giveUp();
      else send(JSON.stringify({ jsonrpc: "2.0", id: questionId, method, params }), request);
    });
  }

  /** The response, noticed while it is open. It begins at once, as its client waits for the headers that come with it. */
  function counted(response: Response): Response {
    streams += 1;
    const through = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(COMMENT),
    });
    void response.body
      ?.pipeTo(through.writable)
      .catch(() => undefined)
      .finally(() => (streams -= 1));
    return new Response(through.readable, { status: response.status, headers: response.headers });
  }

  async function close(): Promise<void> {
    onClosed();
    stopWatching?.();
    for (const stop of subscriptions.values()) stop();
    subscriptions.clear();
    for (const controller of running.values()) controller.abort();
    for (const end of waiting.values()) end(new CairnError("CANCELLED", "The session is closed."));
    await transport.close();
  }
}

function toStream(sessionId: string, events: readonly SessionEvent[]): Response {
  const text = events.map(({ id, message }) => `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  return new Response(text.join(""), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache", "mcp-session-id": sessionId },
  });
}

/** What a client says in its capabilities that it can be asked. Forms are meant where it names no mode of elicitation. */
export function toAbilities(capabilities: unknown): ClientAbilities {
  const { elicitation, sampling, roots } = isObject(capabilities) ? capabilities : {};
  const elicit = isObject(elicitation) && (isObject(elicitation["form"]) || elicitation["url"] === undefined);
  return { elicit, sample: isObject(sampling), roots: isObject(roots) };
}

function toText(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message.slice(0, 200) : "without saying why";
}
