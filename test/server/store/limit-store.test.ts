import { expect, test } from "vitest";
import { limitStore } from "../../../server/store/limit-store.ts";
import { openTestStore } from "../../helpers/store.ts";

test("[V9] a limited store takes so many bytes in all, whatever is written over or deleted, and reads on", async () => {
  const bare = await openTestStore();
  const store = limitStore(bare, 10_000);
  const key = ["a"];
  const value = "x".repeat(2_000);
  for (let count = 0; count < 4; count += 1)
    expect(await store.commit({ set: [{ key, value }] })).toMatchObject({ ok: true });
  const before = await bare.get(key);
  const commits = [
    { set: [{ key, value }] },
    { set: [{ key, json: JSON.stringify(value) }] },
    { append: [{ log: "log", entry: value }] },
    { del: Array.from({ length: 10 }, (_, index) => [index]) },
    { add: Array.from({ length: 10 }, (_, index) => ({ key: [index], delta: 1 })) },
  ];
  for (const commit of commits) {
    await expect(store.commit(commit)).rejects.toMatchObject({
      name: "RATE_LIMITED",
      message: expect.stringMatching(/^There is room for 10000 bytes, and \d+ are written already\.$/),
    });
  }
  expect(await store.get(key)).toEqual(before);
  expect(await store.head("log")).toBeUndefined();
  // What is small still fits, and what checks only costs next to nothing.
  expect(
    await store.commit({ check: [{ key, rev: before?.rev ?? 0 }], set: [{ key: ["b"], value: 1 }] }),
  ).toMatchObject({
    ok: true,
  });
});
