import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import type { Engine } from "../engines.ts";
import { collect, createClock, openStore, range } from "../open-store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const queue = ["ready", "acme", "build"];
const task = [...queue, "task-1"];

export function describeClaims(engine: Engine): void {
  describe("claim", () => {
    test("gives each entry to one of many workers", async () => {
      const store = await openStore(engine);
      await store.commit({ set: range(300).map((n) => ({ key: [...queue, n], value: n })) });
      const claims = await Promise.all(range(40).map(() => store.claim({ queue, leaseMs: 1_000, limit: 9 })));
      const claimed = claims.flat().map(({ value }) => Number(value));
      expect(claimed.toSorted((a, b) => a - b)).toEqual(range(300));
      expect(await store.claim({ queue, leaseMs: 1_000, limit: 9 })).toEqual([]);
    });

    test("raises the revision, leaves the value alone, and its fence passes a check", async () => {
      const store = await openStore(engine);
      await store.commit({ set: [{ key: task, value: { step: 1 } }] });
      const before = await store.get(task);
      const [claimed] = await store.claim({ queue, leaseMs: 1_000, limit: 1 });
      expect(claimed).toMatchObject({ key: task, value: { step: 1 } });
      expect(claimed?.fence).toBeGreaterThan(before?.rev ?? Infinity);
      expect(claimed?.rev).toBe(claimed?.fence);
      expect(await store.get(task)).toMatchObject({ rev: claimed?.fence });
      const done = { check: [{ key: task, rev: claimed?.fence ?? 0 }], del: [task] };
      expect(await store.commit(done)).toMatchObject({ ok: true });
      expect(await store.commit(done)).toEqual({ ok: false, conflict: task });
    });

    test("takes one entry alone where it names that, unless another worker has it", async () => {
      const clock = createClock();
      const store = await openStore(engine, { now: clock.now });
      await store.commit({ set: range(3).map((n) => ({ key: [...queue, n], value: n })) });
      const take = async (entry: number) =>
        (await store.claim({ queue, leaseMs: 10, limit: 1, entry })).map(({ value, rev, fence }) => [
          value,
          rev === fence,
        ]);
      expect(await take(2)).toEqual([[2, true]]);
      expect(await take(2)).toEqual([]);
      expect(await take(7)).toEqual([]);
      expect((await store.claim({ queue, leaseMs: 10, limit: 9 })).map(({ value }) => value)).toEqual([0, 1]);
      clock.advance(10);
      const both = await Promise.all([take(2), take(2)]);
      expect(both.toSorted((a, b) => b.length - a.length)).toEqual([[[2, true]], []]);
    });

    test("takes entries directly under the queue only", async () => {
      const store = await openStore(engine);
      const near = [[...queue, 5], [...queue, ""], [...queue, 5, "deep"], queue, [...queue.slice(0, 2), "build2", 1]];
      await store.commit({ set: near.map((key) => ({ key, value: 0 })) });
      const claimed = await store.claim({ queue, leaseMs: 1_000, limit: 9 });
      expect(claimed.map(({ key }) => key)).toEqual([
        [...queue, 5],
        [...queue, ""],
      ]);
      // The entry [..., 5] is itself a queue, whose rows must not mix with those of the one above.
      const deeper = await store.claim({ queue: [...queue, 5], leaseMs: 1_000, limit: 9 });
      expect(deeper.map(({ key }) => key)).toEqual([[...queue, 5, "deep"]]);
    });

    test("takes leases that ran out first, then free entries in key order", async () => {
      const clock = createClock();
      const store = await openStore(engine, { now: clock.now });
      await store.commit({ set: range(6).map((n) => ({ key: [...queue, n], value: n })) });
      const take = async (limit: number, leaseMs: number) =>
        (await store.claim({ queue, leaseMs, limit })).map(({ value }) => value);
      expect(await take(1, 20)).toEqual([0]);
      expect(await take(2, 10)).toEqual([1, 2]);
      clock.advance(10);
      expect(await take(3, 50)).toEqual([1, 2, 3]);
      clock.advance(10);
      expect(await take(9, 50)).toEqual([0, 4, 5]);
    });

    test("gives an entry whose lease ran out to one new holder, and refuses the old fence", async () => {
      const clock = createClock();
      const store = await openStore(engine, { now: clock.now });
      await store.commit({ set: [{ key: task, value: 1 }] });
      const [first] = await store.claim({ queue, leaseMs: 300, limit: 1 });
      clock.advance(299);
      expect(await store.claim({ queue, leaseMs: 300, limit: 1 })).toEqual([]);
      clock.advance(1);
      const again = await Promise.all(range(8).map(() => store.claim({ queue, leaseMs: 300, limit: 1 })));
      const [second, ...others] = again.flat();
      expect(others).toEqual([]);
      const finish = (fence = 0) => ({
        check: [{ key: task, rev: fence }],
        set: [{ key: ["evidence"], value: fence }],
        append: [{ log: "audit", entry: fence }],
      });
      expect(await store.commit(finish(first?.fence))).toEqual({ ok: false, conflict: task });
      expect(await store.get(["evidence"])).toBeUndefined();
      expect(await store.head("audit")).toBeUndefined();
      expect(await store.commit(finish(second?.fence))).toMatchObject({ ok: true });
    });

    test("is renewed under the same fence until it ran out, and not after", async () => {
      const clock = createClock();
      const store = await openStore(engine, { now: clock.now });
      await store.commit({ set: [{ key: task, value: 1 }] });
      const [claimed] = await store.claim({ queue, leaseMs: 100, limit: 1 });
      const renew = [{ key: task, fence: claimed?.fence ?? 0, leaseMs: 100 }];
      for (let beat = 0; beat < 3; beat++) {
        clock.advance(99);
        expect(await store.commit({ renew, append: [{ log: "audit", entry: "beat" }] })).toMatchObject({ ok: true });
        expect(await store.claim({ queue, leaseMs: 100, limit: 1 })).toEqual([]);
        expect(await store.get(task)).toMatchObject({ rev: claimed?.fence, value: 1 });
      }
      clock.advance(100);
      const late = await store.commit({ renew, append: [{ log: "audit", entry: "late" }] });
      expect(late).toEqual({ ok: false, conflict: task });
      expect(await store.head("audit")).toMatchObject({ seq: 2 });
      expect(await store.claim({ queue, leaseMs: 100, limit: 1 })).toHaveLength(1);
      expect(await store.commit({ renew })).toEqual({ ok: false, conflict: task });
      expect(await store.commit({ renew: [{ key: ["never"], fence: 1, leaseMs: 1 }] })).toMatchObject({ ok: false });
    });

    test("ends when the entry is written, which frees it, or deleted", async () => {
      const store = await openStore(engine);
      const take = () => store.claim({ queue, leaseMs: 1_000, limit: 1 });
      await store.commit({ set: [{ key: task, value: 1 }] });
      const [first] = await take();
      await store.commit({ set: [{ key: task, value: 2 }] });
      const [second] = await take();
      expect(second).toMatchObject({ value: 2 });
      expect(await store.commit({ check: [{ key: task, rev: first?.fence ?? 0 }] })).toMatchObject({ ok: false });
      await store.commit({ add: [{ key: task, delta: 1 }] });
      expect(await take()).toMatchObject([{ value: 3 }]);
      await store.commit({ del: [task] });
      expect(await take()).toEqual([]);
      await store.commit({ set: [{ key: task, value: 4 }] });
      expect(await take()).toMatchObject([{ value: 4 }]);
    });

    test("finds entries written before and after its queue was first asked, also when opened again", async () => {
      const directory = await temporaryFolder();
      const first = await openStore(engine, { directory });
      await first.commit({ set: [{ key: [...queue, "before"], value: 0 }] });
      expect(await first.claim({ queue: ["other"], leaseMs: 1, limit: 1 })).toEqual([]);
      await first.claim({ queue, leaseMs: DAY_MS, limit: 1 });
      await first.commit({ set: [{ key: [...queue, "after"], value: 0 }] });
      await first.admin.close();
      const store = await openStore(engine, { directory });
      const claimed = await store.claim({ queue, leaseMs: DAY_MS, limit: 9 });
      expect(claimed.map(({ key }) => key)).toEqual([[...queue, "after"]]);
      expect(await store.admin.check()).toEqual([]);
    });

    test("goes by the store's clock, whatever the clocks of its callers say", async () => {
      const directory = await temporaryFolder();
      const clock = createClock(Date.now());
      const store = await openStore(engine, { directory, now: clock.now });
      await store.commit({ set: [{ key: task, value: 1 }] });
      const [claimed] = await store.claim({ queue, leaseMs: 60_000, limit: 1 });
      const realNow = Date.now;
      try {
        for (const shift of [2 * DAY_MS, -2 * DAY_MS]) {
          Date.now = () => realNow() + shift;
          expect(await store.claim({ queue, leaseMs: 1, limit: 1 })).toEqual([]);
          const renew = [{ key: task, fence: claimed?.fence ?? 0, leaseMs: 60_000 }];
          expect(await store.commit({ renew })).toMatchObject({ ok: true });
        }
      } finally {
        Date.now = realNow;
      }
    });

    test.each([
      { leaseMs: 0 },
      { leaseMs: -1 },
      { leaseMs: 10 * 365 * DAY_MS },
      { leaseMs: Number.NaN },
      { limit: 0 },
      { limit: 1e9 },
      { queue: [] },
    ])("refuses %o", async (wrong) => {
      const store = await openStore(engine);
      await expect(store.claim({ queue, leaseMs: 1, limit: 1, ...wrong })).rejects.toMatchObject({
        name: "BAD_REQUEST",
      });
    });

    test("is found by the scan and the check like any entry", async () => {
      const store = await openStore(engine);
      await store.commit({ set: [{ key: task, value: 1 }] });
      await store.claim({ queue, leaseMs: 1_000, limit: 1 });
      expect(await collect(store.scan({ prefix: [] }))).toMatchObject([{ key: task, value: 1 }]);
      expect(await store.admin.check()).toEqual([]);
    });
  });
}
