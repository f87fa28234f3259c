import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, Key, Store } from "../../../server/store/store.ts";
import {
  createTransaction,
  transact,
  type Transaction,
  TRANSACTION_KEY_LIMIT,
} from "../../../server/kernel/transaction.ts";
import { openTestStore } from "../../helpers/store.ts";

const commit = (store: Store, transaction: Transaction) => store.commit(transaction.staged());

describe("a transaction", () => {
  test("leaves the store alone until it is committed", async () => {
    const store = await openTestStore();
    const transaction = createTransaction(store);
    transaction.set(["a"], 1);
    expect(await transaction.get(["a"])).toBe(1);
    expect(await store.get(["a"])).toBeUndefined();
    expect(await commit(store, transaction)).toMatchObject({ ok: true });
    expect(await store.get(["a"])).toMatchObject({ value: 1 });
  });

  test("does not commit when something that was read has changed meanwhile", async () => {
    const store = await openTestStore();
    await store.commit({ set: [{ key: ["a"], value: 1 }] });
    const transaction = createTransaction(store);
    transaction.set(["b"], (await transaction.get(["a"])) as Json);
    await store.commit({ set: [{ key: ["a"], value: 2 }] });
    expect(await commit(store, transaction)).toEqual({ ok: false, conflict: ["a"] });
    expect(await store.get(["b"])).toBeUndefined();
  });

  test("notices that a key which was absent has appeared", async () => {
    const store = await openTestStore();
    const transaction = createTransaction(store);
    expect(await transaction.get(["a"])).toBeUndefined();
    await store.commit({ set: [{ key: ["a"], value: 2 }] });
    expect(await commit(store, transaction)).toEqual({ ok: false, conflict: ["a"] });
  });

  test("reads its own deletions", async () => {
    const store = await openTestStore();
    await store.commit({ set: [{ key: ["a"], value: 1 }] });
    const transaction = createTransaction(store);
    transaction.delete(["a"]);
    expect(await transaction.get(["a"])).toBeUndefined();
    await commit(store, transaction);
    expect(await store.get(["a"])).toBeUndefined();
  });

  test("refuses to touch more keys than a transaction may have", async () => {
    const transaction = createTransaction(await openTestStore(), () => new Error("too many keys"));
    for (let index = 0; index < TRANSACTION_KEY_LIMIT; index++) transaction.set(["k", index], index);
    expect(() => transaction.set(["one more"], 1)).toThrow("too many keys");
  });

  test("scans what is stored and staged as if it were all stored", async () => {
    const store = await openTestStore();
    const element = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom("", "a", "b", "é", "\u{1F600}", "\uFFFD"),
    );
    const key = fc.array(element, { minLength: 1, maxLength: 2 });
    const write = fc.record({ key, value: fc.option(fc.integer(), { nil: undefined }) });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 12 }),
        fc.array(write, { maxLength: 12 }),
        fc.array(element, { maxLength: 1 }),
        fc.option(key, { nil: undefined }),
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        async (stored, staged, prefix, after, limit, reverse) => {
          const root: Key = ["round", round++];
          const at = (suffix: Key): Key => [...root, ...suffix];
          const toCommit = (writes: typeof stored) => {
            const last = new Map(writes.map(({ key: suffix, value }) => [JSON.stringify(suffix), { suffix, value }]));
            return {
              set: [...last.values()].flatMap(({ suffix, value }) =>
                value === undefined ? [] : [{ key: at(suffix), value }],
              ),
              del: [...last.values()].filter(({ value }) => value === undefined).map(({ suffix }) => at(suffix)),
            };
          };
          await store.commit(toCommit(stored));
          const transaction = createTransaction(store);
          for (const { key: suffix, value } of staged) {
            if (value === undefined) transaction.delete(at(suffix));
            else transaction.set(at(suffix), value);
          }
          const options = { limit, reverse, ...(after === undefined ? {} : { after: at([...prefix, ...after]) }) };
          const seen = await transaction.scan(at(prefix), options);

          await store.commit(toCommit(staged));
          const expected = [];
          for await (const { key: found, value } of store.scan({ prefix: at(prefix), ...options }))
            expected.push({ key: found, value });
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("transact", () => {
  test("does its work anew while others change what it has read", async () => {
    const store = await openTestStore();
    let disturbances = 3;
    const seen = await transact(store, "too busy", async (transaction) => {
      const before = ((await transaction.get(["n"])) as number | undefined) ?? 0;
      if (disturbances-- > 0) await store.commit({ set: [{ key: ["n"], value: before + 10 }] });
      transaction.set(["n"], before + 1);
      return before;
    });
    expect(seen).toBe(30);
    expect((await store.get(["n"]))?.value).toBe(31);
  });

  test("gives up after ten attempts with a CONFLICT, and writes nothing", async () => {
    const store = await openTestStore();
    let attempts = 0;
    const done = transact(store, "too busy", async (transaction) => {
      await transaction.get(["n"]);
      await store.commit({ set: [{ key: ["n"], value: ++attempts }] });
      transaction.set(["other"], 1);
    });
    await expect(done).rejects.toMatchObject({ name: "CONFLICT", message: "too busy" });
    expect(attempts).toBe(10);
    expect(await store.get(["other"])).toBeUndefined();
  });

  test("loses no update of many at once", async () => {
    const store = await openTestStore();
    const add = () =>
      transact(store, "too busy", async (transaction) => {
        const before = ((await transaction.get(["n"])) as number | undefined) ?? 0;
        transaction.set(["n"], before + 1);
      });
    const done = await Promise.allSettled(Array.from({ length: 8 }, add));
    const kept = done.filter(({ status }) => status === "fulfilled").length;
    expect((await store.get(["n"]))?.value).toBe(kept);
    expect(kept).toBeGreaterThan(0);
  });
});
