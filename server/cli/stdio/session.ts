import type { Response } from "undici";
import { type Cursor, discard, isEventStream, readAnswer } from "./answer.ts";
import type { BridgeHeaders } from "./headers.ts";
import type { Send } from "./http.ts";
import type { ClientMessage, ServerMessage } from "./message.ts";

/** The session that a client and the server agreed on by `initialize`, in revisions before 2026-07-28. */
export interface Session {
  /** Absent before it began, and with servers that keep no sessions. */
  readonly id: string | undefined;
  /** The headers of a message within it. */
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

/** The agreement of `initialize`, and what goes on under it. */
interface State extends SessionOptions {
  /** The client's own message, to begin anew with. */
  initialize: ClientMessage | undefined;
  revision: string | undefined;
  id: string | undefined;
  listening: AbortController;
  renewal: Promise<boolean> | undefined;
  readonly ending: AbortController;
}

export function createSession(options: SessionOptions): Session {
  const state: State = {
    ...options,
    initialize: undefined,
    revision: undefined,
    id: undefined,
    listening: new AbortController(),
    renewal: undefined,
    ending: new AbortController(),
  };
  return {
    get id() {
      return state.id;
    },
    headers: () => headersOf(state, state.id),
    begin(message, response) {
      state.listening.abort();
      state.initialize = message;
      state.revision = undefined;
      state.id = response.headers.get("mcp-session-id") ?? undefined;
    },
    agree: (answer) => agree(state, answer),
    listen: () => listen(state),
    resume: (cursor, hand, isDone, signal) => follow(state, cursor, hand, isDone, signal, MAX_RESUMES),
    renew(expired) {
      if (state.renewal === undefined && state.id !== expired) return Promise.resolve(true);
      state.renewal ??= beginAnew(state).finally(() => (state.renewal = undefined));
      return state.renewal;
    },
    mute: () => state.listening.abort(),
    end: () => end(state),
  };
}

async function end(state: State): Promise<void> {
  state.listening.abort();
  state.ending.abort();
  if (state.id === undefined) return;
  const headers = headersOf(state, state.id);
  state.id = undefined;
  const signal = AbortSignal.timeout(END_MS);
  // A server that cannot be reached, or keeps the session until it forgets it, is no concern of the client.
  await state.send({ method: "DELETE", headers, signal }).then(discard, () => undefined);
}

function headersOf({ revision }: State, session: string | undefined): BridgeHeaders {
  return {
    ...(revision === undefined ? {} : { "mcp-protocol-version": revision }),
    ...(session === undefined ? {} : { "mcp-session-id": session }),
  };
}

function agree(state: State, { body }: ServerMessage): void {
  const agreed = (body["result"] as { protocolVersion?: unknown } | undefined)?.protocolVersion;
  if (typeof agreed === "string") state.revision = agreed;
}

function listen(state: State): void {
  if (state.id === undefined) return;
  state.listening.abort();
  state.listening = new AbortController();
  void follow(state, {}, state.take, () => false, state.listening.signal, Number.POSITIVE_INFINITY);
}

/** Opens the session's stream where `cursor` is, again and again, until the server has none or says nothing new. */
async function follow(
  state: State,
  cursor: Cursor,
  hand: (message: ServerMessage) => void,
  isDone: () => boolean,
  signal: AbortSignal,
  attempts: number,
): Promise<void> {
  const isFresh = cursor.lastEventId === undefined;
  for (let failures = isFresh ? 0 : 1; failures <= attempts; failures += 1) {
    if (failures > 0 && !signal.aborted) {
      await state.wait(Math.min((cursor.retryMs ?? RETRY_MS) * 2 ** (failures - 1), MAX_RETRY_MS), signal);
    }
    if (signal.aborted) return;
    const last = cursor.lastEventId;
    const headers = { ...headersOf(state, state.id), ...(last === undefined ? {} : { "last-event-id": last }) };
    const response = await state.send({ method: "GET", headers, signal }).catch(() => undefined);
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

/** Repeats to the server what the client began with. The client need not know. */
async function beginAnew(state: State): Promise<boolean> {
  if (state.initialize === undefined) return false;
  const { text, id: requestId } = state.initialize;
  const signal = AbortSignal.any([state.ending.signal, AbortSignal.timeout(RENEWAL_MS)]);
  try {
    const response = await state.send({ method: "POST", headers: {}, body: text, signal });
    const fresh = response.headers.get("mcp-session-id");
    await readAnswer(response, {}, (message) => {
      if (message.answers === requestId) agree(state, message);
    });
    if (!response.ok || fresh === null) return false;
    await discard(await state.send({ method: "POST", headers: headersOf(state, fresh), body: INITIALIZED, signal }));
    state.id = fresh;
    listen(state);
    return true;
  } catch {
    // The service is gone; the request that found out says so to the client.
    return false;
  }
}
