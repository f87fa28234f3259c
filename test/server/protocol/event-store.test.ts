import { describe, expect, test } from "vitest";
import { createSessionEvents, type SessionEvent } from "../../../server/protocol/event-store.ts";
import { openTestStore } from "../../helpers/store.ts";

const note = (n: number) => ({ jsonrpc: "2.0" as const, method: "notifications/message", params: { n } });
const question = { jsonrpc: "2.0" as const, id: "cairn-1", method: "roots/list" };
const answer = { jsonrpc: "2.0" as const, id: 1, result: {} };

async function setUp(now = () => 0) {
  const store = await openTestStore(now);
  const events = createSessionEvents(store, "tenant", "session");
  const replay = async (id: string, of = events) => {
    const sent: SessionEvent[] = [];
    const stream = await of.replayEventsAfter(id, {
      send: async (eventId, message) => void sent.push({ id: eventId, message: message as never }),
    });
    return { stream, messages: sent.map(({ message }) => message), ids: sent.map(({ id: eventId }) => eventId) };
  };
  return { store, events, replay };
}

describe("the events of a session", () => {
  test("are replayed in order, those of the same stream that came after one", async () => {
    const { events, replay } = await setUp();
    const opened = await events.storeEvent("a", {} as never);
    const first = await events.storeEvent("a", note(1));
    await events.storeEvent("b", note(2));
    const ids = [];
    for (let n = 3; n < 15; n += 1) ids.push(await events.storeEvent("a", note(n)));
    const later = Array.from({ length: 12 }, (_, index) => note(index + 3));
    expect(await replay(first)).toEqual({ stream: "a", messages: later, ids });
    expect(await replay(opened)).toEqual({ stream: "a", messages: [note(1), ...later], ids: [first, ...ids] });
    expect(await replay(ids.at(-1) ?? "")).toEqual({ stream: "a", messages: [], ids: [] });
    expect(await events.getStreamIdForEventId?.(first)).toBe("a");
  });

  test.each(["", "a", "a~", "a~2", "b~1", "a~1~1", "a~-1", "~1", "a~1e0"])("has none of the id %j", async (id) => {
    const { events, replay } = await setUp();
    expect(await events.storeEvent("a", note(1))).toBe("a~1");
    expect(await events.has(id)).toBe(false);
    expect(await events.findRest(id)).toBeUndefined();
    expect(await events.getStreamIdForEventId?.(id)).toBeUndefined();
    await expect(replay(id)).rejects.toThrow("no such event");
  });

  test("mean nothing to other sessions and other tenants", async () => {
    const { store, events } = await setUp();
    const id = await events.storeEvent("a", note(1));
    expect(await events.has(id)).toBe(true);
    expect(await createSessionEvents(store, "tenant", "other").has(id)).toBe(false);
    expect(await createSessionEvents(store, "other", "session").has(id)).toBe(false);
  });

  test("are forgotten after half an hour", async () => {
    let time = 1000;
    const { events } = await setUp(() => time);
    const id = await events.storeEvent("a", note(1));
    time += 30 * 60 * 1000 - 1;
    expect(await events.has(id)).toBe(true);
    time += 1;
    expect(await events.has(id)).toBe(false);
  });

  test("have a rest once their stream has come to its answer", async () => {
    const { events } = await setUp();
    const opened = await events.storeEvent("a", {} as never);
    const first = await events.storeEvent("a", note(1));
    const second = await events.storeEvent("a", question as never);
    expect(await events.findRest(first)).toBeUndefined();
    const last = await events.storeEvent("a", answer);
    expect(await events.findRest(opened)).toEqual([
      { id: first, message: note(1) },
      { id: second, message: question },
      { id: last, message: answer },
    ]);
    expect(await events.findRest(second)).toEqual([{ id: last, message: answer }]);
    expect(await events.findRest(last)).toEqual([]);
  });
});
