import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../../server/store/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { readChain } from "../chain.ts";
import { collect, openStore, range } from "../open-store.ts";

describe("a backup", () => {
  test("opens as a store that equals the one it was made of, leases, ids and revisions included", async () => {
    const store = await openStore("lmdb");
    const commit = {
      set: range(500).map((n) => ({ key: ["q", n], value: "x".repeat(n * 10), ...(n % 5 ? {} : { ttl: 3_600_000 }) })),
      append: range(50).map((entry) => ({ log: "l", entry })),
      id: "first",
    };
    const result = await store.commit(commit);
    const [claimed] = await store.claim({ queue: ["q"], leaseMs: 3_600_000, limit: 1 });
    const target = join(await temporaryFolder(), "new", "backup");
    await store.admin.backup(target);
    expect((await stat(target)).mode & 0o777).toBe(0o700);
    expect((await stat(join(target, "data.mdb"))).mode & 0o777).toBe(0o600);

    const copy = await openStore("lmdb", { directory: target });
    expect(await everything(copy)).toEqual(await everything(store));
    expect(await copy.admin.check()).toEqual([]);
    expect(await copy.commit(commit)).toEqual(result);
    const renew = [{ key: claimed?.key ?? [], fence: claimed?.fence ?? 0, leaseMs: 1_000 }];
    expect(await copy.commit({ renew, set: [{ key: ["later"], value: 1 }] })).toMatchObject({ ok: true });
    expect((await copy.get(["later"]))?.rev).toBeGreaterThan(claimed?.rev ?? Infinity);
  });

  test("holds one state of a store that goes on writing", async () => {
    const store = await openStore("lmdb");
    const done = new AbortController();
    const writer = (async () => {
      for (let n = 0; !done.signal.aborted; n++) {
        await store.commit({ set: [{ key: ["n"], value: n }], append: [{ log: "l", entry: n }] });
      }
    })();
    const targets = range(5).map(async (n) => {
      const target = join(await temporaryFolder(), `${n}`);
      await store.admin.backup(target);
      return target;
    });
    for (const target of await Promise.all(targets)) {
      const copy = await openStore("lmdb", { directory: target });
      const said = readChain(await collect(copy.readLog("l", { from: 0 })));
      expect((await copy.get(["n"]))?.value).toBe(said.at(-1));
      expect(await copy.admin.check()).toEqual([]);
    }
    done.abort();
    await writer;
  });

  test("is refused into a directory that holds anything, and leaves it as it was", async () => {
    const store = await openStore("lmdb");
    const target = join(await temporaryFolder(), "full");
    await mkdir(target);
    await writeFile(join(target, "data.mdb"), "older");
    await expect(store.admin.backup(target)).rejects.toMatchObject({ name: "BAD_REQUEST" });
    expect((await stat(join(target, "data.mdb"))).size).toBe(5);
  });
});

async function everything(store: Store): Promise<unknown[]> {
  return [...(await collect(store.scan({ prefix: [] }))), ...(await collect(store.readLog("l", { from: 0 })))];
}
