import { describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { readChain } from "../chain.ts";
import type { Engine } from "../engines.ts";
import { collect, openStore, range } from "../open-store.ts";

export function describeReading(engine: Engine): void {
  describe("scan", () => {
    test("under concurrent writes yields every unchanged key once, in order", async () => {
      const store = await openStore(engine);
      const fixed = range(2_000).map((n) => ["k", n * 2]);
      await store.commit({ set: fixed.map((key) => ({ key, value: "fixed" })) });
      const done = new AbortController();
      const writers = range(4).map(async (writer) => {
        for (let turn = 0; !done.signal.aborted; turn++) {
          const key = ["k", ((turn * 37 + writer * 511) % 2_000) * 2 + 1];
          await store.commit(turn % 3 === 0 ? { del: [key] } : { set: [{ key, value: turn }] });
        }
      });
      for (const reverse of [false, true, false, true]) {
        const seen = (await collect(store.scan({ prefix: ["k"], reverse }))).map(({ key }) => Number(key[1]));
        const ordered = reverse ? seen.toReversed() : seen;
        expect(ordered).toEqual([...new Set(ordered)].sort((a, b) => a - b));
        expect(ordered.filter((n) => n % 2 === 0)).toEqual(fixed.map((key) => key[1]));
      }
      done.abort();
      await Promise.all(writers);
    });

    test("stops at its limit and can be left early", async () => {
      const store = await openStore(engine);
      await store.commit({ set: range(1_500).map((n) => ({ key: ["k", n], value: "x".repeat(2_000) })) });
      for (const limit of [0, 1, 32, 33, 1_499, 1_500, 9_999]) {
        expect(await collect(store.scan({ prefix: ["k"], limit }))).toHaveLength(Math.min(limit, 1_500));
      }
      for await (const { key } of store.scan({ prefix: ["k"] })) if (key[1] === 100) break;
      await store.commit({ set: [{ key: ["k", 0], value: "after" }] });
      expect(await store.get(["k", 0])).toMatchObject({ value: "after" });
    });

    test("is part of its prefix, and bounded by it when it starts elsewhere", async () => {
      const store = await openStore(engine);
      const keys = [["a"], ["b"], ["b", 1], ["b", 2], ["c"]];
      await store.commit({ set: keys.map((key) => ({ key, value: 0 })) });
      const read = async (after: string[], reverse: boolean) =>
        (await collect(store.scan({ prefix: ["b"], after, reverse }))).map(({ key }) => key);
      expect(await read(["a"], false)).toEqual([["b"], ["b", 1], ["b", 2]]);
      expect(await read(["c"], false)).toEqual([]);
      expect(await read(["c"], true)).toEqual([["b", 2], ["b", 1], ["b"]]);
      expect(await read(["a"], true)).toEqual([]);
    });
  });

  describe("a log", () => {
    test("has the same bytes and hashes on every engine", async () => {
      const store = await openStore(engine);
      const entries = [{ z: 1, a: [true, null, "é\u2028"], "10": -0.5, "9": 1e21 }, "\ud800\0", []];
      const result = await store.commit({ append: entries.map((entry) => ({ log: "golden", entry })) });
      const read = await collect(store.readLog("golden", { from: 0 }));
      expect(read.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
        '{"entry":{"10":-0.5,"9":1e+21,"a":[true,null,"é\u2028"],"z":1},' +
          '"prev":"0000000000000000000000000000000000000000000000000000000000000000","seq":0}',
        `{"entry":"\\ud800\\u0000","prev":"${GOLDEN[0]}","seq":1}`,
        `{"entry":[],"prev":"${GOLDEN[1]}","seq":2}`,
      ]);
      expect(read.map(({ hash }) => hash)).toEqual(GOLDEN);
      expect(result).toEqual({ ok: true, logs: GOLDEN.map((hash, seq) => ({ seq, hash })) });
    });

    test("is read from any place, and its newest entry is its head", async () => {
      const store = await openStore(engine);
      expect(await store.head("l")).toBeUndefined();
      expect(await collect(store.readLog("l", { from: -1 }))).toEqual([]);
      for (let n = 0; n < 10; n++) {
        await store.commit({ append: range(70).map((m) => ({ log: "l", entry: n * 70 + m })) });
      }
      await store.commit({
        append: [
          { log: "l\0", entry: "another" },
          { log: "l2", entry: "a third" },
        ],
      });
      const read = async (options: { from: number; limit?: number }) =>
        (await collect(store.readLog("l", options))).map(({ seq }) => seq);
      expect(readChain(await collect(store.readLog("l", { from: 0 })))).toEqual(range(700));
      expect(await read({ from: 698 })).toEqual([698, 699]);
      expect(await read({ from: 700 })).toEqual([]);
      expect(await read({ from: -1 })).toEqual([699]);
      expect(await read({ from: -3, limit: 2 })).toEqual([697, 698]);
      expect(await read({ from: -9_999, limit: 1 })).toEqual([0]);
      expect(await store.head("l")).toMatchObject({ seq: 699 });
      expect(await store.head("l\0")).toMatchObject({ seq: 0 });
    });
  });

  describe("watch", () => {
    test("hints once per commit at what lies under its prefix, until stopped", async () => {
      const store = await openStore(engine);
      const notify = vi.fn<() => void>();
      const stop = store.watch(["s", "a"], notify);
      await store.commit({
        set: [
          { key: ["s", "a", 1], value: 1 },
          { key: ["s", "a"], value: 1 },
        ],
      });
      expect(notify).toHaveBeenCalledTimes(1);
      await store.commit({
        set: [
          { key: ["s", "ab"], value: 1 },
          { key: ["s"], value: 1 },
        ],
      });
      await store.commit({ check: [{ key: ["s", "a"], rev: 0 }], del: [["s", "a"]] });
      expect(notify).toHaveBeenCalledTimes(1);
      await store.commit({ del: [["s", "a"]] });
      await store.commit({ add: [{ key: ["s", "a", 1], delta: 1 }] });
      await store.claim({ queue: ["s", "a"], leaseMs: 1, limit: 1 });
      expect(notify).toHaveBeenCalledTimes(4);
      stop();
      stop();
      await store.commit({ set: [{ key: ["s", "a"], value: 1 }] });
      expect(notify).toHaveBeenCalledTimes(4);
    });
  });

  describe("a closed store", () => {
    test("finishes what is in flight and is unavailable from then on", async () => {
      const directory = await temporaryFolder();
      const first = await openStore(engine, { directory });
      const pending = range(50).map((n) => first.commit({ set: [{ key: ["k", n], value: n }] }));
      const scan = first.scan({ prefix: [] })[Symbol.asyncIterator]();
      await Promise.all([first.admin.close(), first.admin.close()]);
      expect((await Promise.all(pending)).every(({ ok }) => ok)).toBe(true);
      const unavailable = { name: "UNAVAILABLE" };
      await expect(first.get(["k", 1])).rejects.toMatchObject(unavailable);
      await expect(first.commit({ set: [{ key: ["k"], value: 1 }] })).rejects.toMatchObject(unavailable);
      await expect(first.claim({ queue: ["k"], leaseMs: 1, limit: 1 })).rejects.toMatchObject(unavailable);
      await expect(scan.next()).rejects.toMatchObject(unavailable);
      await expect(first.admin.check()).rejects.toMatchObject(unavailable);
      const store = await openStore(engine, { directory });
      expect(await collect(store.scan({ prefix: ["k"] }))).toHaveLength(50);
    });
  });
}

// Computed by another program from the bytes above.
const GOLDEN = [
  "93e77dea27e956b49ec455e4525ec3b16da0fae2a25f48f3e53ad3cc6e434f2c",
  "c696c62d388bf8083c9f85178009479ec15990dbab455db634411c3d14605b61",
  "e89fc34fc852835732e799ebd8d483ad4c5876eeccb8aa80bb7c8f81899fa723",
];
