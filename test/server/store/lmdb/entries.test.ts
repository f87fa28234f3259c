import { describe, expect, onTestFinished, test } from "vitest";
import { openEnvironment } from "../../../../server/store/lmdb/environment.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { createClock, openStore, range } from "../open-store.ts";

describe("purging", () => {
  test("keeps up with commits that set nothing but entries with a ttl", async () => {
    const directory = await temporaryFolder();
    const clock = createClock();
    const store = await openStore("lmdb", { directory, now: clock.now });
    const environment = openEnvironment(directory);
    onTestFinished(async () => void (await environment.close()));
    const countRows = () =>
      environment.snapshot(() =>
        (["entries", "expiry"] as const).map(
          (table) => [...environment.tables[table].rows({ start: Buffer.of(0), end: Buffer.of(255) })].length,
        ),
      );
    const counts: number[] = [];
    for (let turn = 0; turn < 40; turn++) {
      const set = range(50).map((n) => ({ key: ["t", turn, n], value: 1, ttl: 10 }));
      await store.commit({ set, id: `turn ${turn}` });
      clock.advance(5);
      counts.push(countRows()[0] ?? 0);
    }
    // Two turns' worth are alive at any time, beside the ids of all commits, and there is never a backlog of a turn.
    expect(Math.max(...counts.map((count, turn) => count - turn))).toBeLessThan(4 * 50);
    clock.advance(10);
    await store.commit({ set: [{ key: ["last"], value: 1 }] });
    for (const n of range(20)) await store.commit({ set: [{ key: ["last"], value: n }] });
    // What is left are the ids, the entry of the last commits, and the counter.
    expect(countRows()).toEqual([40 + 1 + 1, 40]);
    clock.advance(7 * 24 * 60 * 60 * 1_000);
    for (const n of range(4)) await store.commit({ set: [{ key: ["last"], value: n }] });
    expect(countRows()).toEqual([2, 0]);
    expect(await store.admin.check()).toEqual([]);
  });
});
