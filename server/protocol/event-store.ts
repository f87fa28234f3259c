import type { Json } from "../json/types.ts";
import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
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
  /** Finds the events after one on a stream that has its answer; undefined while more may follow. */
  findRest(eventId: string): Promise<readonly SessionEvent[] | undefined>;
}

export interface SessionEvent {
  readonly id: string;
  readonly message: Json;
}

export function createSessionEvents(store: Store, tenant: string, sessionId: string): SessionEvents {
  const keyOf = (stream: string, ...number: readonly number[]) => ["event", tenant, sessionId, stream, ...number];
  let last = 0;

  const find = async (eventId: string) => {
    const [, stream = "", digits = ""] = EVENT_ID.exec(eventId) ?? [];
    const entry = stream === "" ? undefined : await store.get(keyOf(stream, Number(digits)));
    return entry && { stream, number: Number(digits), message: entry.value };
  };

  /** The events after one; those that only open a stream carry no message and are left out. */
  const listAfter = async (stream: string, number: number): Promise<readonly SessionEvent[]> => {
    const events: SessionEvent[] = [];
    for await (const { key, value } of store.scan({ prefix: keyOf(stream), after: keyOf(stream, number) })) {
      if (!isEmpty(value)) events.push({ id: `${stream}~${String(key.at(-1))}`, message: value });
    }
    return events;
  };

  return {
    async storeEvent(stream, message) {
      last += 1;
      const number = last;
      const value = message as unknown as Json;
      await store.commit({ set: [{ key: keyOf(stream, number), value, ttl: EVENT_LIFETIME_MS }] });
      return `${stream}~${number}`;
    },
    has: async (eventId) => (await find(eventId)) !== undefined,
    getStreamIdForEventId: async (eventId) => (await find(eventId))?.stream,
    async replayEventsAfter(eventId, { send }) {
      const found = await find(eventId);
      if (found === undefined) throw new Error("no such event");
      for (const { id, message } of await listAfter(found.stream, found.number)) await send(id, message as never);
      return found.stream;
    },
    async findRest(eventId) {
      const found = await find(eventId);
      if (found === undefined) return undefined;
      const rest = await listAfter(found.stream, found.number);
      return isAnswer(rest.at(-1)?.message ?? found.message) ? rest : undefined;
    },
  };
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Requests and notifications have a method. */
function isAnswer(message: Json): boolean {
  return typeof message === "object" && message !== null && "id" in message && !("method" in message);
}
