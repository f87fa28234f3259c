import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toLink } from "../../../../server/store/hash-chain.ts";
import { encodeKey } from "../../../../server/store/key-codec.ts";
import { type Environment, openEnvironment } from "../../../../server/store/lmdb/environment.ts";
import { toClaimRow, toExpiryRow } from "../../../../server/store/lmdb/layout.ts";
import { encodeRecord } from "../../../../server/store/stored-record.ts";
import type { Store } from "../../../../server/store/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { collect, openStore, range } from "../open-store.ts";

const damaged = { name: "INTERNAL_ERROR", message: expect.stringContaining("is damaged; restore a backup") };

describe("a record of which a bit has flipped", () => {
  test("is an error to whoever reads it and is found by the check; others are as they were", async () => {
    const { store } = await damagedStore("needle-in-a-value");
    await expect(store.get(["k", 5])).rejects.toMatchObject(damaged);
    await expect(
      store.getMany([
        ["k", 4],
        ["k", 5],
      ]),
    ).rejects.toMatchObject(damaged);
    await expect(collect(store.scan({ prefix: ["k"] }))).rejects.toMatchObject(damaged);
    expect(await store.get(["k", 4])).toMatchObject({ value: "fine" });
    expect(await store.admin.check()).toEqual([expect.stringContaining("is damaged")]);
  });

  test("stops a commit that touches it, and the commit leaves nothing behind", async () => {
    const { store } = await damagedStore("needle-in-a-value");
    const touching = store.commit({
      set: [
        { key: ["new"], value: 1 },
        { key: ["k", 4], value: "changed" },
      ],
      del: [["k", 5]],
      append: [{ log: "l", entry: "never" }],
      id: "touching",
    });
    const beside = store.commit({ set: [{ key: ["beside"], value: 1 }], append: [{ log: "l", entry: "beside" }] });
    await expect(touching).rejects.toMatchObject(damaged);
    expect(await beside).toMatchObject({ ok: true, logs: [{ seq: 3 }] });
    expect(await store.getMany([["new"], ["k", 4], ["beside"]])).toMatchObject([
      undefined,
      { value: "fine" },
      { value: 1 },
    ]);
    expect(await store.head("l")).toMatchObject({ seq: 3 });
  });

  test("is found in a key as well as in a value", async () => {
    const { store } = await damagedStore("needle-in-a-key");
    expect(await store.get(["k", "needle-in-a-key"])).toBeUndefined();
    expect(await store.admin.check()).toEqual([expect.stringContaining("is damaged")]);
  });

  test("is found in a log, of which the rest can be read", async () => {
    const { store } = await damagedStore("needle-in-a-log");
    await expect(collect(store.readLog("l", { from: 0 }))).rejects.toMatchObject(damaged);
    expect(await collect(store.readLog("l", { from: 2 }))).toHaveLength(1);
    expect(await store.admin.check()).toEqual([expect.stringMatching(/^logs: .* is damaged$/)]);
  });

  test("does not keep commits from purging what is due", async () => {
    const { store, advance } = await damagedStore("needle-in-a-ttl");
    advance(1_000);
    for (const n of range(5))
      expect(await store.commit({ set: [{ key: ["n"], value: n }] })).toMatchObject({ ok: true });
    expect(await store.admin.check()).toEqual([expect.stringContaining("is damaged")]);
  });
});

describe("the check", () => {
  test("finds a log that was rewritten by someone who kept every checksum", async () => {
    const { environment, store } = await openTwice();
    for (const n of range(5)) await store.commit({ append: [{ log: "l", entry: n }] });
    const [first] = await collect(store.readLog("l", { from: 0 }));
    const forged = toLink(first, "99");
    const key = encodeKey(["l", 1]);
    const body = Buffer.concat([Buffer.from(forged.hash, "hex"), forged.bytes]);
    const put = () =>
      environment.tables.logs.put(key, encodeRecord(key, { rev: 0, expiresAt: 0, leasedUntil: 0, body }));
    await environment.transact(put);
    expect(await store.admin.check()).toEqual([expect.stringContaining("does not name the hash of its predecessor")]);
    await environment.transact(() => environment.tables.logs.remove(key));
    expect(await store.admin.check()).toEqual([expect.stringContaining("it follows 0")]);
  });

  test("finds index rows that are missing or belong to nothing", async () => {
    const { environment, store } = await openTwice();
    await store.claim({ queue: ["q"], leaseMs: 1, limit: 1 });
    await store.commit({ set: [{ key: ["q", 1], value: 1, ttl: 9_000 }] });
    expect(await store.admin.check()).toEqual([]);
    const key = encodeKey(["q", 1]);
    const [claim] = environment.tables.claims.rows({ start: Buffer.of(0), end: Buffer.of(255) });
    const [expiry] = environment.tables.expiry.rows({ start: Buffer.of(0), end: Buffer.of(255) });
    const swap = (table: "claims" | "expiry", row: Buffer | undefined, other: Buffer) =>
      environment.transact(() => {
        environment.tables[table].remove(row ?? other);
        environment.tables[table].put(other, Buffer.alloc(0));
      });
    await swap("claims", claim?.key, toClaimRow(key, 5));
    expect(await store.admin.check()).toEqual([
      expect.stringContaining("could not be claimed"),
      expect.stringContaining("belongs to no record"),
    ]);
    await expect(store.claim({ queue: ["q"], leaseMs: 1, limit: 1 })).rejects.toMatchObject(damaged);
    await swap("claims", toClaimRow(key, 5), claim?.key ?? key);
    await swap("expiry", expiry?.key, toExpiryRow(5, key));
    expect(await store.admin.check()).toEqual([
      expect.stringContaining("would never be purged"),
      expect.stringContaining("belongs to no record"),
    ]);
  });

  test("finds a revision beyond those given", async () => {
    const { environment, store } = await openTwice();
    const key = encodeKey(["k"]);
    const record = { rev: 77, expiresAt: 0, leasedUntil: 0, body: Buffer.from("1") };
    await environment.transact(() => environment.tables.entries.put(key, encodeRecord(key, record)));
    expect(await store.admin.check()).toEqual([expect.stringContaining("a revision that was never given")]);
  });
});

/** A store of which one bit has flipped where the file says `needle`, the way a disk does it: without telling. */
async function damagedStore(needle: string): Promise<{ store: Store; advance: (ms: number) => void }> {
  const directory = await temporaryFolder();
  let time = 1_000_000;
  const now = () => time;
  const healthy = await openStore("lmdb", { directory, now });
  await healthy.commit({
    set: [
      ...range(10).map((n) => ({ key: ["k", n], value: n === 5 ? "needle-in-a-value" : "fine" })),
      { key: ["k", "needle-in-a-key"], value: 1 },
      { key: ["t"], value: "needle-in-a-ttl", ttl: 100 },
    ],
    append: ["fine", "needle-in-a-log", "fine"].map((entry) => ({ log: "l", entry })),
  });
  await healthy.admin.close();
  const file = join(directory, "data.mdb");
  const bytes = await readFile(file);
  // Pages that are no longer in use may hold the text as well.
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) bytes.write("N", at);
  await writeFile(file, bytes);
  return { store: await openStore("lmdb", { directory, now }), advance: (ms) => void (time += ms) };
}

/** A store, and beside it the bytes that it keeps. */
async function openTwice(): Promise<{ environment: Environment; store: Store }> {
  const directory = await temporaryFolder();
  const store = await openStore("lmdb", { directory });
  const environment = openEnvironment(directory);
  onTestFinished(async () => void (await environment.close()));
  return { environment, store };
}
