import type { Response } from "undici";
import { type Cursor, discard, isEventStream, readAnswer } from "./answer.ts";
import type { BridgeHeaders } from "./headers.ts";
import type { Send } from "./http.ts";
import type { ClientMessage, ServerMessage } from "./message.ts";

/** What a client and the server agreed on by `initialize`, in revisions before 2026-07-28. */
export interface Session {
  /** Absent before it began, and with servers that keep no sessions. */
  readonly id: string | undefined;
  /** For a message within it. */
  readonly headers: () => BridgeHeaders;
  /** Notes what `initialize` is answered with: first the HTTP response, then the message in it. */
  readonly begin: (initialize: ClientMessage, response: Response) => void;
  readonly agree: (answer: ServerMessage) => void;
  /** Listens to what the server says unasked, until the session ends. */
  readonly listen: () => void;
  /** Asks for the rest of a stream that broke, until `isDone` or the server has no more. */
  readonly resume: (
    cursor: Cursor,
    take: (message: ServerMessage) => void,
    isDone: () => boolean,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Begins anew after the server forgot `expired`; whether that worked. */
  readonly renew: (expired: string) => Promise<boolean>;
  /** Stops listening. */
  readonly mute: () => void;
  readonly end: () => Promise<void>;
}

export interface SessionOptions {
  readonly send: Send;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Takes what the server says unasked. */
  readonly take: (message: ServerMessage) => void;
}

const RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** Attempts in a row without a single event. */
const MAX_RESUMES = 5;
/** Milliseconds for the server to begin a session anew. */
const RENEWAL_MS = 30_000;
/** Milliseconds for the server to acknowledge the end. */
const END_MS = 2000;
const INITIALIZED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

export function createSession({ send, wait, take }: SessionOptions): Session {
  let initialize: ClientMessage | undefined;
  let revision: string | undefined;
  let id: string | undefined;
  let listening = new AbortController();
  let renewal: Promise<boolean> | undefined;
  const ending = new AbortController();

  const headersOf = (session: string | undefined): BridgeHeaders => ({
    ...(revision === undefined ? {} : { "mcp-protocol-version": revision }),
    ...(session === undefined ? {} : { "mcp-session-id": session }),
  });

  return {
    get id() {
      return id;
    },
    headers: () => headersOf(id),
    begin(message, response) {
      listening.abort();
      initialize = message;
      revision = undefined;
      id = response.headers.get("mcp-session-id") ?? undefined;
    },
    agree,
    listen,
    resume: (cursor, hand, isDone, signal) => follow(cursor, hand, isDone, signal, MAX_RESUMES),
    renew(expired) {
      if (renewal === undefined && id !== expired) return Promise.resolve(true);
      renewal ??= beginAnew().finally(() => (renewal = undefined));
      return renewal;
    },
    mute: () => listening.abort(),
    async end() {
      listening.abort();
      ending.abort();
      if (id === undefined) return;
      const headers = headersOf(id);
      id = undefined;
      const signal = AbortSignal.timeout(END_MS);
      // A server that cannot be reached, or keeps the session until it forgets it, is no concern of the client.
      await send({ method: "DELETE", headers, signal }).then(discard, () => undefined);
    },
  };

  function agree({ body }: ServerMessage): void {
    const agreed = (body["result"] as { protocolVersion?: unknown } | undefined)?.protocolVersion;
    if (typeof agreed === "string") revision = agreed;
  }

  function listen(): void {
    if (id === undefined) return;
    listening.abort();
    listening = new AbortController();
    void follow({}, take, () => false, listening.signal, Number.POSITIVE_INFINITY);
  }

  /** Opens the session's stream where `cursor` is, again and again, until the server has none or says nothing new. */
  async function follow(
    cursor: Cursor,
    hand: (message: ServerMessage) => void,
    isDone: () => boolean,
    signal: AbortSignal,
    attempts: number,
  ): Promise<void> {
    const isFresh = cursor.lastEventId === undefined;
    for (let failures = isFresh ? 0 : 1; failures <= attempts; failures += 1) {
      if (failures > 0 && !signal.aborted) {
        await wait(Math.min((cursor.retryMs ?? RETRY_MS) * 2 ** (failures - 1), MAX_RETRY_MS), signal);
      }
      if (signal.aborted) return;
      const last = cursor.lastEventId;
      const headers = { ...headersOf(id), ...(last === undefined ? {} : { "last-event-id": last }) };
      const response = await send({ method: "GET", headers, signal }).catch(() => undefined);
      if (response === undefined || response.status >= 500) continue;
      if (!response.ok || !isEventStream(response)) return discard(response);
      await readAnswer(response, cursor, (message) => {
        failures = 0;
        hand(message);
      });
      if (isDone()) return;
      if (cursor.lastEventId !== last) failures = 0;
    }
  }

  /** Says to the server what the client said to it at the beginning. The client need not know. */
  async function beginAnew(): Promise<boolean> {
    if (initialize === undefined) return false;
    const { text, id: requestId } = initialize;
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(RENEWAL_MS)]);
    try {
      const response = await send({ method: "POST", headers: {}, body: text, signal });
      const fresh = response.headers.get("mcp-session-id");
      await readAnswer(response, {}, (message) => {
        if (message.answers === requestId) agree(message);
      });
      if (!response.ok || fresh === null) return false;
      await discard(await send({ method: "POST", headers: headersOf(fresh), body: INITIALIZED, signal }));
      id = fresh;
      listen();
      return true;
    } catch {
      // The service is gone; the request that found out says so to the client.
      return false;
    }
  }
}
