import type { Response } from "undici";
import { CairnError } from "../../errors.ts";
import type { RequestId } from "../../protocol/json-rpc.ts";
import { type Cursor, discard, readAnswer } from "./answer.ts";
import type { Send } from "./http.ts";
import { type ClientMessage, readClientMessages, type ServerMessage, toErrorLine } from "./message.ts";
import { createPost, type Post } from "./post.ts";
import { createSession, type Session } from "./session.ts";

/** Carries MCP between a client that speaks in lines and a server that speaks Streamable HTTP. */
export interface Bridge {
  /** Takes a line from the client; what comes of it is written as it arrives. */
  readonly take: (line: string) => void;
  /** After the last line: waits, though not for ever, for what is under way, then ends everything. */
  readonly finish: () => Promise<void>;
  /** Ends everything now. */
  readonly stop: () => Promise<void>;
}

export interface BridgeOptions {
  readonly send: Send;
  /** Takes a line for the client. */
  readonly write: (line: string) => void;
  /** Takes what only people may want to know. */
  readonly warn: (text: string) => void;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Milliseconds for what is under way when the client has said its last. */
const DRAIN_MS = 10_000;
/** Until these are answered nothing else of the client makes sense to the server. */
const HANDSHAKE = new Set<string | undefined>(["initialize", "notifications/initialized"]);

/** One message of the client under way. */
interface Trip {
  readonly message: ClientMessage;
  readonly abort: AbortController;
  answered: boolean;
  /** True if the client no longer wants the answer. */
  forgotten: boolean;
}

/** The traffic between a client and the server. */
interface State extends Pick<BridgeOptions, "write" | "warn"> {
  readonly session: Session;
  readonly post: Post;
  readonly running: Map<Trip, Promise<void>>;
  /** Requests by their ids, as the client may cancel them. */
  readonly requests: Map<RequestId, Trip>;
  /** The part of the handshake that was sent last; undefined: there was none. */
  handshake: Promise<void> | undefined;
}

export function createBridge({ send, write, warn, wait }: BridgeOptions): Bridge {
  const session = createSession({ send, wait, take: ({ text }) => write(text) });
  const post = createPost(send, session);
  const state: State = { session, post, write, warn, running: new Map(), requests: new Map(), handshake: undefined };
  return {
    take(line) {
      if (line.trim() === "") return;
      try {
        for (const message of readClientMessages(line)) start(state, message);
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        write(toErrorLine(undefined, error));
      }
    },
    async finish() {
      session.mute();
      for (const trip of state.running.keys()) {
        // It would never end by itself.
        if (trip.message.method === "subscriptions/listen") forget(trip);
      }
      const done = new AbortController();
      await Promise.race([Promise.all(state.running.values()), wait(DRAIN_MS, done.signal)]);
      done.abort();
      await stop(state);
    },
    stop: () => stop(state),
  };
}

async function stop(state: State): Promise<void> {
  for (const trip of state.running.keys()) forget(trip);
  await Promise.all([...state.running.values(), state.session.end()]);
}

function start(state: State, message: ClientMessage): void {
  const { id, method, revision } = message;
  if (method === "notifications/cancelled" && !cancel(state, message)) return;
  const trip: Trip = { message, abort: new AbortController(), answered: false, forgotten: false };
  // What answers the server must not wait: during the handshake the server may wait for it.
  const isLegacy = revision === undefined && method !== undefined;
  const done = Promise.resolve(isLegacy ? state.handshake : undefined)
    .then(() => carry(state, trip))
    .catch((error: unknown) => fail(state, trip, error))
    .finally(() => {
      state.running.delete(trip);
      if (id !== undefined && state.requests.get(id) === trip) state.requests.delete(id);
    });
  state.running.set(trip, done);
  if (isRequest(message) && id !== undefined) state.requests.set(id, trip);
  if (HANDSHAKE.has(method)) state.handshake = done;
}

/** Over HTTP a request is cancelled by closing its connection; revisions with a handshake want to be told as well. */
function cancel(state: State, { params, revision }: ClientMessage): boolean {
  const trip = state.requests.get(params["requestId"] as RequestId);
  if (trip !== undefined) forget(trip);
  return state.handshake !== undefined && (trip?.message.revision ?? revision) === undefined;
}

function forget(trip: Trip): void {
  trip.forgotten = true;
  trip.abort.abort();
}

async function carry(state: State, trip: Trip): Promise<void> {
  const { message, abort } = trip;
  if (trip.forgotten) return;
  const response = await state.post(message, abort.signal);
  if (!isRequest(message)) {
    if (!response.ok)
      state.warn(`the service refused \`${message.method ?? "an answer"}\` with HTTP ${response.status}`);
    await discard(response);
    if (response.ok && message.method === "notifications/initialized") state.session.listen();
    return;
  }
  if (message.method === "initialize" && response.ok) state.session.begin(message, response);
  const cursor: Cursor = {};
  const hand = (received: ServerMessage) => deliver(state, trip, received);
  await readAnswer(response, cursor, hand);
  const isOver = () => trip.answered || trip.forgotten;
  if (
    !isOver() &&
    message.revision === undefined &&
    state.session.id !== undefined &&
    cursor.lastEventId !== undefined
  ) {
    await state.session.resume(cursor, hand, isOver, abort.signal);
  }
  if (!isOver()) throw missing(message, response);
}

function deliver(state: State, trip: Trip, received: ServerMessage): void {
  const { message } = trip;
  if (trip.forgotten) return;
  if (received.answers === message.id) {
    trip.answered = true;
    if (message.method === "initialize") state.session.agree(received);
    state.write(received.text);
  } else if (received.isError && received.answers === undefined) {
    // The server refused the request before it knew its id.
    trip.answered = true;
    state.write(JSON.stringify({ ...received.body, id: message.id }));
  } else {
    state.write(received.text);
  }
}

function fail(state: State, { message, forgotten }: Trip, error: unknown): void {
  if (forgotten) return;
  const known =
    error instanceof CairnError ? error : new CairnError("INTERNAL_ERROR", `The bridge failed: ${String(error)}.`);
  if (isRequest(message)) state.write(toErrorLine(message.id, known));
  else state.warn(`\`${message.method ?? "an answer"}\` was not delivered: ${known.message}`);
}

function isRequest({ method, id }: ClientMessage): boolean {
  return method !== undefined && id !== undefined;
}

function missing({ method }: ClientMessage, { ok, status }: Response): CairnError {
  return new CairnError(
    "UNAVAILABLE",
    ok
      ? `The connection ended before the answer to \`${method}\` came; whether it had an effect is unknown.`
      : `\`${method}\` was answered with HTTP ${status} and no message of the protocol; is the address a Cairn's?`,
  );
}
