import type { Json } from "../json/types.ts";
import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { ERRORS } from "../errors.ts";
import type { RequestId } from "./json-rpc.ts";
import type { Store } from "../store/store.ts";

/** Milliseconds that a client has to come back for what it missed. */
const EVENT_LIFETIME_MS = 30 * 60 * 1000;
const EVENT_ID = /^([\w-]{1,64})~(\d{1,15})$/;

/**
 * Events sent on the streams of one session, so that a client can receive the rest after its connection broke. An id is
 * the stream's name and a number; ids of other sessions are unknown here.
 */
export interface SessionEvents extends EventStore {
  has(eventId: string): Promise<boolean>;
  /** Finds the events after one on a stream that has its answer, or was ended without one; undefined while more may follow. */
  findRest(eventId: string): Promise<readonly SessionEvent[] | undefined>;
}

export interface SessionEvent {
  readonly id: string;
  readonly message: Json;
}

/** Data of answers that no client gets, told by its identity. */
const UNSENT = Object.freeze({});
/** Event that ends a stream and is sent to nobody. */
const END: Json = Object.freeze({ end: true });

/** Makes an answer for the transport alone, which ends what it knows of a request; it is stored as an end, and never sent. */
export function toUnsentAnswer(id: RequestId): JSONRPCMessage {
  const { jsonRpc: code, meaning: message } = ERRORS.CANCELLED;
  return { jsonrpc: "2.0", id, error: { code, message, data: UNSENT } };
}

export function createSessionEvents(store: Store, tenant: string, sessionId: string): SessionEvents {
  const keyOf = (stream: string, ...number: readonly number[]) => ["event", tenant, sessionId, stream, ...number];
  let last = 0;

  const find = async (eventId: string) => {
    const [, stream = "", digits = ""] = EVENT_ID.exec(eventId) ?? [];
    const entry = stream === "" ? undefined : await store.get(keyOf(stream, Number(digits)));
    return entry && { stream, number: Number(digits), message: entry.value };
  };

  /** The events after one; those that only open or end a stream carry no message and are left out. */
  const listAfter = async (stream: string, number: number) => {
    const events: SessionEvent[] = [];
    let isEnded = false;
    for await (const { key, value } of store.scan({ prefix: keyOf(stream), after: keyOf(stream, number) })) {
      isEnded ||= isAnswer(value) || isEnd(value);
      if (!isEmpty(value) && !isEnd(value)) events.push({ id: `${stream}~${String(key.at(-1))}`, message: value });
    }
    return { events, isEnded };
  };

  return {
    async storeEvent(stream, message) {
      last += 1;
      const number = last;
      const value = isUnsent(message) ? END : (message as unknown as Json);
      await store.commit({ set: [{ key: keyOf(stream, number), value, ttl: EVENT_LIFETIME_MS }] });
      return `${stream}~${number}`;
    },
    has: async (eventId) => (await find(eventId)) !== undefined,
    getStreamIdForEventId: async (eventId) => (await find(eventId))?.stream,
    async replayEventsAfter(eventId, { send }) {
      const found = await find(eventId);
      if (found === undefined) throw new Error("no such event");
      const { events } = await listAfter(found.stream, found.number);
      for (const { id, message } of events) await send(id, message as never);
      return found.stream;
    },
    async findRest(eventId) {
      const found = await find(eventId);
      if (found === undefined) return undefined;
      const { events, isEnded } = await listAfter(found.stream, found.number);
      return isEnded || isAnswer(found.message) ? events : undefined;
    },
  };
}

function isUnsent(message: JSONRPCMessage): boolean {
  return "error" in message && message.error.data === UNSENT;
}

function isEnd(value: Json): boolean {
  return typeof value === "object" && value !== null && "end" in value && !("jsonrpc" in value);
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Requests and notifications have a method. */
function isAnswer(message: Json): boolean {
  return typeof message === "object" && message !== null && "id" in message && !("method" in message);
}
