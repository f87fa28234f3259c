import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Commit, Store } from "../../../../server/store/store.ts";
import { readChain } from "../chain.ts";
import type { Engine } from "../engines.ts";
import { collect, openStore, range } from "../open-store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export function describeCommits(engine: Engine): void {
  describe("commit", () => {
    test("lets one of 20 create a key", async () => {
      const store = await openStore(engine);
      const key = ["session", "acme", "one"];
      const results = await Promise.all(
        range(20).map((value) => store.commit({ check: [{ key, rev: 0 }], set: [{ key, value }] })),
      );
      const winners = range(20).filter((index) => results[index]?.ok);
      expect(winners).toHaveLength(1);
      expect(await store.get(key)).toMatchObject({ key, value: winners[0] });
      expect(results.filter((result) => !result.ok)).toEqual(range(19).map(() => ({ ok: false, conflict: key })));
    });

    test("writes nothing at all when a revision is stale", async () => {
      const store = await openStore(engine);
      await store.commit({
        set: [
          { key: ["a"], value: 1 },
          { key: ["b"], value: 1 },
        ],
      });
      const before = await everything(store);
      const result = await store.commit({
        check: [{ key: ["b"], rev: 99 }],
        set: [{ key: ["a"], value: 2 }],
        del: [["b"]],
        add: [{ key: ["n"], delta: 1 }],
        append: [{ log: "audit", entry: "stale" }],
        id: "stale",
      });
      expect(result).toEqual({ ok: false, conflict: ["b"] });
      expect(await everything(store)).toEqual(before);
      expect(await store.head("audit")).toBeUndefined();
    });

    test("counts to 200 when 10 callers compare and set 20 times each", async () => {
      const store = await openStore(engine);
      const key = ["counter"];
      const increment = async (caller: number): Promise<void> => {
        const { value = 0, rev = 0 } = (await store.get(key)) ?? {};
        const result = await store.commit({
          check: [{ key, rev }],
          set: [{ key, value: Number(value) + 1 }],
          append: [{ log: "audit", entry: { caller, value } }],
        });
        if (!result.ok) await increment(caller);
      };
      await Promise.all(
        range(10).map(async (caller) => {
          for (let turn = 0; turn < 20; turn++) await increment(caller);
        }),
      );
      expect(await store.get(key)).toMatchObject({ value: 200 });
      const said = readChain(await collect(store.readLog("audit", { from: 0 })));
      expect(said.map((entry) => (entry as { value: number }).value)).toEqual(range(200));
    });

    test("gives a key a higher revision with every write, even after it was deleted", async () => {
      const store = await openStore(engine);
      const revs: number[] = [];
      for (const value of [1, 1, 2]) {
        await store.commit({ set: [{ key: ["k"], value }] });
        revs.push((await store.get(["k"]))?.rev ?? 0);
        if (value === 1) await store.commit({ del: [["k"]] });
      }
      expect(revs).toEqual([...new Set(revs)].sort((a, b) => a - b));
    });

    test("adds within bounds, or conflicts and does nothing", async () => {
      const store = await openStore(engine);
      const limit = { min: 0, max: 3 };
      expect(await store.commit({ add: [{ key: ["n"], delta: 3, ...limit }] })).toEqual({ ok: true, logs: [] });
      const over = {
        add: [
          { key: ["m"], delta: 1 },
          { key: ["n"], delta: 1, ...limit },
        ],
      };
      expect(await store.commit(over)).toEqual({ ok: false, conflict: ["n"] });
      expect(await store.commit({ add: [{ key: ["n"], delta: -4, ...limit }] })).toMatchObject({ ok: false });
      expect(await store.getMany([["n"], ["m"]])).toMatchObject([{ value: 3 }, undefined]);
      await store.commit({ set: [{ key: ["n"], value: Number.MAX_VALUE }] });
      const infinite = { add: [{ key: ["n"], delta: Number.MAX_VALUE }] };
      expect(await store.commit(infinite)).toEqual({ ok: false, conflict: ["n"] });
    });

    test("lets a commit that fails under the lock take nothing of its neighbours with it", async () => {
      const store = await openStore(engine);
      await store.commit({ set: [{ key: ["text"], value: "not a number" }] });
      const results = await Promise.allSettled(
        range(30).map((n) =>
          store.commit({ set: [{ key: ["k", n], value: n }], add: n % 3 === 0 ? [{ key: ["text"], delta: 1 }] : [] }),
        ),
      );
      const refused = results.filter(({ status }) => status === "rejected");
      expect(refused).toHaveLength(10);
      expect(refused[0]).toMatchObject({ reason: { name: "BAD_REQUEST" } });
      expect((await collect(store.scan({ prefix: ["k"] }))).map(({ value }) => value)).toEqual(
        range(30).filter((n) => n % 3 !== 0),
      );
    });

    const valid: Required<Commit> = {
      check: [{ key: ["absent"], rev: 0 }],
      renew: [],
      set: [1, 2, 3].map((n) => ({ key: ["set", n], value: n })),
      del: [
        ["del", 1],
        ["del", 2],
      ],
      add: [1, 2].map((n) => ({ key: ["add", n], delta: n })),
      append: [1, 2].map((n) => ({ log: `log ${n}`, entry: n })),
      id: "valid",
    };
    const invalid: { [Kind in keyof Commit]: readonly unknown[] } = {
      check: [
        { key: ["a"], rev: -1 },
        { key: ["a"], rev: 0.5 },
        { key: [], rev: 0 },
      ],
      renew: [
        { key: ["a"], fence: 1, leaseMs: 0 },
        { key: ["a"], fence: 1, leaseMs: 10 * 365 * DAY_MS },
      ],
      set: [undefined, Number.NaN, new Date(0), () => 1, [undefined], "x".repeat(8 * 1024 * 1024)]
        .map((value): unknown => ({ key: ["bad"], value }))
        .concat([
          { key: ["bad", Number.NaN], value: 1 },
          { key: ["bad", "\ud800"], value: 1 },
          { key: ["bad", "x".repeat(2_000)], value: 1 },
          { key: ["bad", null], value: 1 },
          { key: ["bad"], value: 1, ttl: -1 },
          { key: ["add", 2], value: 1 },
        ]),
      del: [[], ["set", 1], [{}], "bad"],
      add: [
        { key: ["bad"], delta: Number.NaN },
        { key: ["bad"], delta: Number.POSITIVE_INFINITY },
      ],
      append: [
        { log: "bad", entry: undefined },
        { log: 7, entry: 1 },
        { log: "x".repeat(2_000), entry: 1 },
      ],
    };
    for (const [kind, elements] of Object.entries(invalid)) {
      test(`does nothing when an element of \`${kind}\` is invalid, wherever it stands`, async () => {
        const store = await openStore(engine);
        const list = valid[kind as keyof typeof invalid] as readonly unknown[];
        for (const element of elements) {
          for (let at = 0; at <= list.length; at++) {
            const commit = { ...valid, [kind]: list.toSpliced(at, 0, element) } as Commit;
            await expect(store.commit(commit)).rejects.toMatchObject({ name: "BAD_REQUEST" });
          }
        }
        expect(await everything(store)).toEqual([]);
        expect(await store.head("log 1")).toBeUndefined();
        expect(await store.commit(valid)).toMatchObject({ ok: true });
      });
    }

    test("conserves the sum of accounts under concurrent transfers, in every state that can be seen", async () => {
      const store = await openStore(engine);
      const accounts = range(8).map((n) => ["account", "acme", n]);
      await store.commit({ set: accounts.map((key) => ({ key, value: 100 })) });
      const pick = fc.sample(fc.tuple(fc.nat(7), fc.nat(7), fc.integer({ min: 1, max: 60 })), 400);
      let refused = 0;
      const transfer = async ([from = 0, to = 0, amount = 0]: readonly number[]) => {
        const [a, b] = [accounts[from] ?? [], accounts[to] ?? []];
        if (from === to) return;
        const result = await store.commit({
          add: [
            { key: a, delta: -amount, min: 0 },
            { key: b, delta: amount },
          ],
          append: [{ log: "transfers", entry: { from, to, amount } }],
        });
        if (!result.ok) refused++;
      };
      const total = async () => (await store.getMany(accounts)).reduce((sum, entry) => sum + Number(entry?.value), 0);
      const done = Promise.all(
        range(8).map(async (n) => {
          for (const one of pick.slice(n * 50, n * 50 + 50)) await transfer(one);
        }),
      ).then(() => true);
      const sums = new Set<number>();
      do sums.add(await total());
      while (!(await Promise.race([done, new Promise((resolve) => setImmediate(resolve, false))])));
      sums.add(await total());
      expect([...sums]).toEqual([800]);
      // The log repeats every transfer that happened: its replay must end where the accounts are.
      const replayed = Array<number>(8).fill(100);
      for (const entry of readChain(await collect(store.readLog("transfers", { from: 0 })))) {
        const { from, to, amount } = entry as { from: number; to: number; amount: number };
        replayed[from] = (replayed[from] ?? 0) - amount;
        replayed[to] = (replayed[to] ?? 0) + amount;
      }
      expect((await store.getMany(accounts)).map((entry) => entry?.value)).toEqual(replayed);
      expect(refused).toBeGreaterThan(0);
    });
  });
}

function everything(store: Store): Promise<unknown[]> {
  return collect(store.scan({ prefix: [] }));
}
