import { describe, expect, onTestFinished, test } from "vitest";
import { encodeKey } from "../../../../server/store/key-codec.ts";
import { applyClaim } from "../../../../server/store/lmdb/claim.ts";
import { openEnvironment, type Table, type Tables } from "../../../../server/store/lmdb/environment.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openStore, range } from "../open-store.ts";

describe("applyClaim", () => {
  test("touches as many rows of a long queue, most of it leased, as of a short one", async () => {
    const touched: number[] = [];
    for (const length of [50, 5_000]) {
      const directory = await temporaryFolder();
      const store = await openStore("lmdb", { directory });
      await store.commit({ set: range(length).map((n) => ({ key: ["q", n], value: n })) });
      for (let leased = 0; leased < length - 20; leased += 1_000) {
        const limit = Math.min(1_000, length - 20 - leased);
        await store.claim({ queue: ["q"], leaseMs: 60_000, limit });
      }
      const environment = openEnvironment(directory);
      onTestFinished(async () => void (await environment.close()));
      let count = 0;
      const tables = counting(environment.tables, () => count++);
      const claim = () => applyClaim(tables, { queue: encodeKey(["q"]) }, 60_000, 10, Date.now());
      expect(await environment.transact(claim)).toHaveLength(10);
      touched.push(count);
    }
    expect(touched[1]).toBe(touched[0]);
  });
});

/** Calls `count` for every row that is read or written. */
function counting(tables: Tables, count: () => void): Tables {
  const wrap = (table: Table): Table => ({
    get: (key) => (count(), table.get(key)),
    put: (key, value) => (count(), table.put(key, value)),
    remove: (key) => (count(), table.remove(key)),
    *rows(wanted) {
      for (const row of table.rows(wanted)) {
        count();
        yield row;
      }
    },
  });
  const { entries, logs, expiry, claims } = tables;
  return { entries: wrap(entries), logs: wrap(logs), expiry: wrap(expiry), claims: wrap(claims) };
}
