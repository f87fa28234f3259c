import type { Response } from "undici";
import { CairnError } from "../../errors.ts";
import type { RequestId } from "../../protocol/json-rpc.ts";
import { type Cursor, discard, readAnswer } from "./answer.ts";
import type { Send } from "./http.ts";
import { type ClientMessage, readClientMessages, type ServerMessage, toErrorLine } from "./message.ts";
import { createPost } from "./post.ts";
import { createSession } from "./session.ts";

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
  /** Nobody wants its answer any more. */
  forgotten: boolean;
}

export function createBridge({ send, write, warn, wait }: BridgeOptions): Bridge {
  const running = new Map<Trip, Promise<void>>();
  const requests = new Map<RequestId, Trip>();
  const session = createSession({ send, wait, take: ({ text }) => write(text) });
  const post = createPost(send, session);
  let handshake: Promise<void> | undefined;

  return {
    take(line) {
      if (line.trim() === "") return;
      try {
        for (const message of readClientMessages(line)) start(message);
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        write(toErrorLine(undefined, error));
      }
    },
    async finish() {
      session.mute();
      for (const trip of running.keys()) {
        // It would never end by itself.
        if (trip.message.method === "subscriptions/listen") forget(trip);
      }
      const done = new AbortController();
      await Promise.race([Promise.all(running.values()), wait(DRAIN_MS, done.signal)]);
      done.abort();
      await stop();
    },
    stop,
  };

  async function stop(): Promise<void> {
    for (const trip of running.keys()) forget(trip);
    await Promise.all([...running.values(), session.end()]);
  }

  function start(message: ClientMessage): void {
    const { id, method, revision } = message;
    if (method === "notifications/cancelled" && !cancel(message)) return;
    const trip: Trip = { message, abort: new AbortController(), answered: false, forgotten: false };
    // What answers the server must not wait: during the handshake the server may wait for it.
    const isLegacy = revision === undefined && method !== undefined;
    const done = Promise.resolve(isLegacy ? handshake : undefined)
      .then(() => carry(trip))
      .catch((error: unknown) => fail(trip, error))
      .finally(() => {
        running.delete(trip);
        if (id !== undefined && requests.get(id) === trip) requests.delete(id);
      });
    running.set(trip, done);
    if (isRequest(message) && id !== undefined) requests.set(id, trip);
    if (HANDSHAKE.has(method)) handshake = done;
  }

  /** Over HTTP a request is cancelled by closing its connection; revisions with a handshake want to be told as well. */
  function cancel({ params, revision }: ClientMessage): boolean {
    const trip = requests.get(params["requestId"] as RequestId);
    if (trip !== undefined) forget(trip);
    return handshake !== undefined && (trip?.message.revision ?? revision) === undefined;
  }

  function forget(trip: Trip): void {
    trip.forgotten = true;
    trip.abort.abort();
  }

  async function carry(trip: Trip): Promise<void> {
    const { message, abort } = trip;
    if (trip.forgotten) return;
    const response = await post(message, abort.signal);
    if (!isRequest(message)) {
      if (!response.ok) warn(`the service refused \`${message.method ?? "an answer"}\` with HTTP ${response.status}`);
      await discard(response);
      if (response.ok && message.method === "notifications/initialized") session.listen();
      return;
    }
    if (message.method === "initialize" && response.ok) session.begin(message, response);
    const cursor: Cursor = {};
    const hand = (received: ServerMessage) => deliver(trip, received);
    await readAnswer(response, cursor, hand);
    const isOver = () => trip.answered || trip.forgotten;
    if (!isOver() && message.revision === undefined && session.id !== undefined && cursor.lastEventId !== undefined) {
      await session.resume(cursor, hand, isOver, abort.signal);
    }
    if (!isOver()) throw missing(message, response);
  }

  function deliver(trip: Trip, received: ServerMessage): void {
    const { message } = trip;
    if (trip.forgotten) return;
    if (received.answers === message.id) {
      trip.answered = true;
      if (message.method === "initialize") session.agree(received);
      write(received.text);
    } else if (received.isError && received.answers === undefined) {
      // The server refused the request before it knew its id.
      trip.answered = true;
      write(JSON.stringify({ ...received.body, id: message.id }));
    } else {
      write(received.text);
    }
  }

  function fail({ message, forgotten }: Trip, error: unknown): void {
    if (forgotten) return;
    const known =
      error instanceof CairnError ? error : new CairnError("INTERNAL_ERROR", `The bridge failed: ${String(error)}.`);
    if (isRequest(message)) write(toErrorLine(message.id, known));
    else warn(`\`${message.method ?? "an answer"}\` was not delivered: ${known.message}`);
  }
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
