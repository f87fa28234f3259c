import { expect, test } from "vitest";
import { chooseCalls, readPages } from "../../../server/examples/recorded-calls.ts";
import { bodyKey } from "../../../server/store/keys.ts";
import type { Store } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";

const COMMIT = "c".repeat(40);

async function record(store: Store, tenant: string, count: number, from = 0): Promise<void> {
  const set = Array.from({ length: count }, (_, index) => {
    const value = {
      schemaVersion: 1,
      tool: index % 2 === 0 ? "s.even" : "s.odd",
      input: {},
      output: {},
      at: from + index,
    };
    return { key: bodyKey(tenant, COMMIT, `${tenant}-${String(index).padStart(4, "0")}`), value };
  });
  await store.commit({ set });
}

test("recorded calls come a page at a time, oldest first, and once each", async () => {
  const store = await openTestStore();
  await record(store, "a", 250);
  const pages = await Array.fromAsync(readPages(store, "a", COMMIT));
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(pages.flat().map(({ at }) => at)).toEqual(Array.from({ length: 250 }, (_, index) => index));
  expect(await Array.fromAsync(readPages(store, "b", COMMIT))).toEqual([]);
});

test("calls are chosen among all tenants: the newest ones, or a sample that its seed decides", async () => {
  const store = await openTestStore();
  await record(store, "a", 20);
  await record(store, "b", 20, 10);
  const choose = (more: object) =>
    chooseCalls(store, ["a", "b"], COMMIT, { isWanted: ({ tool }) => tool === "s.even", seed: "1", ...more });
  expect([...(await choose({ limit: 3 }))]).toEqual(["b-0018", "b-0016", "b-0014"]);
  const sample = await choose({ sample: 5 });
  expect(sample.size).toBe(5);
  expect(await choose({ sample: 5 })).toEqual(sample);
  expect(await choose({ sample: 5, seed: "2" })).not.toEqual(sample);
  expect((await choose({ sample: 100 })).size).toBe(20);
});
