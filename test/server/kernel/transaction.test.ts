import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, Key, Store } from "../../../server/store/store.ts";
import { createEffects, TRANSACTION_KEY_LIMIT } from "../../../server/kernel/transaction.ts";
import { openTestStore } from "../../helpers/store.ts";

const tooMany = () => new Error("too many keys");
const commit = (store: Store, effects: ReturnType<typeof createEffects>) => store.commit(effects.staged());

describe("effects", () => {
  test("leave the store alone until they are committed", async () => {
    const store = await openTestStore();
    const effects = createEffects(store, tooMany);
    effects.set(["a"], 1);
    expect(await effects.get(["a"])).toBe(1);
    expect(await store.get(["a"])).toBeUndefined();
    expect(await commit(store, effects)).toMatchObject({ ok: true });
    expect(await store.get(["a"])).toMatchObject({ value: 1 });
  });

  test("do not commit when something that was read has changed meanwhile", async () => {
    const store = await openTestStore();
    await store.commit({ set: [{ key: ["a"], value: 1 }] });
    const effects = createEffects(store, tooMany);
    effects.set(["b"], (await effects.get(["a"])) as Json);
    await store.commit({ set: [{ key: ["a"], value: 2 }] });
    expect(await commit(store, effects)).toEqual({ ok: false, conflict: ["a"] });
    expect(await store.get(["b"])).toBeUndefined();
  });

  test("notice that a key which was absent has appeared", async () => {
    const store = await openTestStore();
    const effects = createEffects(store, tooMany);
    expect(await effects.get(["a"])).toBeUndefined();
    await store.commit({ set: [{ key: ["a"], value: 2 }] });
    expect(await commit(store, effects)).toEqual({ ok: false, conflict: ["a"] });
  });

  test("read their own deletions", async () => {
    const store = await openTestStore();
    await store.commit({ set: [{ key: ["a"], value: 1 }] });
    const effects = createEffects(store, tooMany);
    effects.delete(["a"]);
    expect(await effects.get(["a"])).toBeUndefined();
    await commit(store, effects);
    expect(await store.get(["a"])).toBeUndefined();
  });

  test("refuse to touch more keys than a transaction may have", async () => {
    const effects = createEffects(await openTestStore(), tooMany);
    for (let index = 0; index < TRANSACTION_KEY_LIMIT; index++) effects.set(["k", index], index);
    expect(() => effects.set(["one more"], 1)).toThrow("too many keys");
  });

  test("scan what is stored and staged as if it were all stored", async () => {
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
          const effects = createEffects(store, tooMany);
          for (const { key: suffix, value } of staged) {
            if (value === undefined) effects.delete(at(suffix));
            else effects.set(at(suffix), value);
          }
          const options = { limit, reverse, ...(after === undefined ? {} : { after: at([...prefix, ...after]) }) };
          const seen = await effects.scan(at(prefix), options);

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
