import { describe, expect, test } from "vitest";
import { createReadCounter, readReadRecord } from "../../../server/operations/count-reads.ts";
import { readsKey } from "../../../server/store/use-keys.ts";
import type { Store } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";

const READ = { tenant: "acme", actor: "ada", commit: "c".repeat(40), version: "1.0.0", method: "tools/list" };
const fail = (error: unknown) => {
  throw error;
};

async function load(store: Store) {
  const records = [];
  for await (const { value } of store.scan({ prefix: readsKey(READ.tenant, READ.commit) })) {
    records.push(readReadRecord(value));
  }
  return records;
}

describe("the counter of reads", () => {
  test("adds to what is stored, with the time of the last", async () => {
    const store = await openTestStore();
    let time = 5;
    for (const expected of [2, 4]) {
      const counter = createReadCounter({ store, now: () => time, onError: fail });
      counter.count({ ...READ, client: "agent/1" });
      time += 1;
      counter.count({ ...READ, client: "agent/1" });
      await counter.close();
      expect(await load(store)).toMatchObject([{ count: expected, lastUse: time, client: "agent/1", actor: "ada" }]);
    }
  });

  test("loses none of what several services count at the same time", async () => {
    const store = await openTestStore();
    const counters = Array.from({ length: 4 }, () => createReadCounter({ store, now: () => 1, onError: fail }));
    for (const counter of counters) for (const client of ["a", "b"]) counter.count({ ...READ, client });
    await Promise.all(counters.map(({ close }) => close()));
    expect((await load(store)).map(({ client, count }) => [client, count]).toSorted()).toEqual([
      ["a", 4],
      ["b", 4],
    ]);
  });

  test("keeps so many lines of a version and tenant, however many names callers give themselves", async () => {
    const store = await openTestStore();
    const counter = createReadCounter({ store, now: () => 1, onError: fail });
    for (let at = 0; at < 3_000; at += 1) counter.count({ ...READ, client: `agent/${at}` });
    await counter.flush();
    for (let at = 3_000; at < 3_100; at += 1) counter.count({ ...READ, client: `agent/${at}` });
    await counter.close();
    const records = await load(store);
    expect(records).toHaveLength(501);
    expect(records.reduce((sum, { count }) => sum + count, 0)).toBe(3_100);
    expect(records.find(({ actor }) => actor === "others")).toMatchObject({ count: 2_600, method: "tools/list" });
  });
});
