import { describe, expect, test } from "vitest";
import type { Commit } from "../../../../server/store/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import type { Engine } from "../engines.ts";
import { collect, createClock, openStore, range } from "../open-store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export function describeIdsAndTtls(engine: Engine): void {
  describe("a commit with an id", () => {
    const commit: Commit = {
      add: [{ key: ["n"], delta: 1 }],
      append: [
        { log: "audit", entry: "once" },
        { log: "audit", entry: "twice" },
      ],
      id: "request-1",
    };

    test("has one effect and one result, one after the other and at once", async () => {
      const store = await openStore(engine);
      const first = await store.commit(commit);
      const others = await Promise.all(range(20).map(() => store.commit(commit)));
      expect(new Set([first, ...others].map((result) => JSON.stringify(result))).size).toBe(1);
      expect(await store.get(["n"])).toMatchObject({ value: 1 });
      expect(await store.head("audit")).toMatchObject({ seq: 1 });
      expect(first).toMatchObject({ ok: true, logs: [{ seq: 0 }, { seq: 1 }] });
    });

    test("is remembered when the store is opened again, for seven days", async () => {
      const clock = createClock();
      const directory = await temporaryFolder();
      const first = await openStore(engine, { directory, now: clock.now });
      const result = await first.commit(commit);
      await first.admin.close();
      const store = await openStore(engine, { directory, now: clock.now });
      clock.advance(7 * DAY_MS - 1);
      expect(await store.commit(commit)).toEqual(result);
      expect(await store.get(["n"])).toMatchObject({ value: 1 });
      clock.advance(1);
      expect(await store.commit(commit)).not.toEqual(result);
      expect(await store.get(["n"])).toMatchObject({ value: 2 });
    });

    test("may be tried again after a conflict, which had no effect", async () => {
      const store = await openStore(engine);
      expect(await store.commit({ check: [{ key: ["n"], rev: 5 }], ...commit })).toMatchObject({ ok: false });
      expect(await store.commit(commit)).toMatchObject({ ok: true });
      expect(await store.get(["n"])).toMatchObject({ value: 1 });
    });
  });

  describe("an entry with a ttl", () => {
    test("reads as absent from its end on", async () => {
      const clock = createClock();
      const store = await openStore(engine, { now: clock.now });
      await store.commit({
        set: [
          { key: ["k", 1], value: 1, ttl: 10 },
          { key: ["k", 2], value: 2 },
        ],
      });
      clock.advance(9);
      expect(await store.get(["k", 1])).toMatchObject({ value: 1 });
      clock.advance(1);
      expect(
        await store.getMany([
          ["k", 1],
          ["k", 2],
        ]),
      ).toMatchObject([undefined, { value: 2 }]);
      expect(await collect(store.scan({ prefix: ["k"] }))).toMatchObject([{ value: 2 }]);
      expect(await store.claim({ queue: ["k"], leaseMs: 1, limit: 9 })).toMatchObject([{ value: 2 }]);
      expect(
        await store.commit({ check: [{ key: ["k", 1], rev: 0 }], add: [{ key: ["k", 1], delta: 5 }] }),
      ).toMatchObject({
        ok: true,
      });
      expect(await store.get(["k", 1])).toMatchObject({ value: 5 });
    });

    test("keeps its end when added to, and loses it when set again", async () => {
      const clock = createClock();
      const store = await openStore(engine, { now: clock.now });
      const set = ["a", "b"].map((key) => ({ key: [key], value: 1, ttl: 10 }));
      await store.commit({ set });
      await store.commit({ add: [{ key: ["a"], delta: 1 }], set: [{ key: ["b"], value: 2 }] });
      clock.advance(10);
      await store.commit({ set: [{ key: ["other"], value: 0 }] });
      expect(await store.getMany([["a"], ["b"]])).toMatchObject([undefined, { value: 2 }]);
    });
  });
}
