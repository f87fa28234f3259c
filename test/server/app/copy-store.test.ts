import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { describe as describeAlways, expect, test } from "vitest";
import { copyStore } from "../../../server/app/copy-store.ts";
import { openStore, openStoreAlone } from "../../../server/app/open-store.ts";
import type { StoreConfig } from "../../../server/config/config-store.ts";
import { openPostgresImage } from "../../../server/store/postgres/image.ts";
import type { Store } from "../../../server/store/store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { hasPostgres, toDatabase } from "../../stand-ins/postgres.ts";
import { readChain } from "../store/chain.ts";
import { collect, range } from "../store/open-store.ts";
import { toOptions as toOpening } from "../store/postgres/create-place.ts";

const describe = describeAlways.runIf(hasPostgres("copies of a store"));
const LMDB: StoreConfig = { engine: "lmdb" };
const LEASE_MS = 7 * 24 * 60 * 60 * 1_000;
const LOGS = ["audit/a", "audit/b"];

describe("a copy of a store", () => {
  test("into a database and back has every entry, revision, lease, result and hash as it was", async () => {
    const { data, database } = await createPlaces();
    const ids = range(3).map((n) => `request ${n}`);
    const repeated = (id: string) => ({ add: [{ key: ["n"], delta: 1 }], append: [{ log: "audit/b", entry: id }], id });
    const { before, results } = await use(data, LMDB, async (store) => {
      const set = range(1_200).map((n) => ({ key: ["k", n], value: { n, text: 'é"\\\u0000' } }));
      await store.commit({ set: [...set, { key: ["t"], value: 1, ttl: LEASE_MS }] });
      await store.commit({ set: [{ key: ["q", "leased"], value: 1 }], append: [{ log: "audit/a", entry: "\ud800" }] });
      await store.claim({ queue: ["q"], leaseMs: LEASE_MS, limit: 1 });
      const made = [];
      for (const id of ids) made.push(await store.commit(repeated(id)));
      return { results: made, before: await show(store) };
    });

    const copied = await copy(data, database, "to-database");
    expect(copied).toMatchObject({ entries: 1_203, links: 4, results: 3 });
    const later = await use(data, database, async (store) => {
      expect(await show(store)).toEqual(before);
      for (const [at, id] of ids.entries()) expect(await store.commit(repeated(id))).toEqual(results[at]);
      expect(await store.claim({ queue: ["q"], leaseMs: 1, limit: 1 })).toEqual([]);
      await store.commit({ set: [{ key: ["k", 0], value: "new" }], append: [{ log: "audit/a", entry: "new" }] });
      expect((await store.get(["k", 0]))?.rev).toBeGreaterThan(Math.max(...before.entries.map(({ rev }) => rev)));
      expect(await store.admin.check()).toEqual([]);
      return show(store);
    });

    await copy(data, database, "to-folder");
    await use(data, LMDB, async (store) => {
      expect(await show(store)).toEqual(later);
      for (const [at, id] of ids.entries()) expect(await store.commit(repeated(id))).toEqual(results[at]);
      await store.commit({ set: [{ key: ["k", 1], value: "newer" }] });
      expect((await store.get(["k", 1]))?.rev).toBeGreaterThan(Math.max(...later.entries.map(({ rev }) => rev)));
      expect(await store.admin.check()).toEqual([]);
    });
  });

  test("is refused into a database that has a store, and one that was cut short is begun anew", async () => {
    const { data, database } = await createPlaces();
    const other = await createPlaces();
    await use(other.data, other.database, (store) => store.commit({ set: [{ key: ["k"], value: 1 }] }));
    await use(data, LMDB, (store) => store.commit({ set: [{ key: ["k"], value: 1 }] }));
    await expect(copy(data, other.database, "to-database")).rejects.toMatchObject({ name: "CONFLICT" });
    const cut = new Error("cut short");
    await expect(
      copyStore({ ...toOptions(data, database, "to-database"), onProgress: () => throwIt(cut) }),
    ).rejects.toBe(cut);
    await expect(use((await createPlaces()).data, database, async () => 0)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: expect.stringContaining("was cut short"),
    });
    expect(await copy(data, database, "to-database")).toMatchObject({ entries: 1 });
  });
});

describe("the tables of a store that was moved into a folder", () => {
  test.each([undefined, "http://127.0.0.1:9"])(
    "are opened by nobody, whether or not they were shared (%s), until somebody takes them up again",
    async (nodeAddress) => {
      const { data, database: alone } = await createPlaces();
      const database = { ...alone, ...(nodeAddress !== undefined && { nodeAddress }) };
      const beside = await temporaryFolder();
      for (const folder of [data, beside]) {
        await use(folder, database, (store) => store.commit({ set: [{ key: ["k", folder], value: 1 }] }));
      }
      const moved = {
        name: "UNAVAILABLE",
        message: expect.stringMatching(
          /^The store of this database was moved into a data folder by `cairn store copy` of /,
        ),
      };
      let waiting: Promise<unknown> = Promise.resolve();
      const onProgress = () =>
        void (waiting = expect(use(beside, database, async () => 0)).rejects.toMatchObject(moved));
      expect(await copyStore({ ...toOptions(data, database, "to-folder"), onProgress })).toMatchObject({ entries: 2 });
      await waiting;
      for (const folder of [beside, await temporaryFolder()]) {
        await expect(use(folder, database, async () => 0)).rejects.toMatchObject(moved);
      }
      await expect(copy(beside, database, "to-folder")).rejects.toMatchObject(moved);
      await use(data, LMDB, async (store) => expect(await store.get(["k", beside])).toMatchObject({ value: 1 }));
      await expect(copy(data, database, "to-database")).rejects.toMatchObject({ name: "CONFLICT" });

      const [sql = ""] = /(?<=`)update cairn_store[^`]+(?=`)/.exec(await readFile("docs/postgresql.md", "utf8")) ?? [];
      await admin(database, sql);
      await use(beside, database, async (store) => expect(await store.get(["k", data])).toMatchObject({ value: 1 }));
    },
  );

  test("stay in use where another process has had them while they were copied", async () => {
    const { data, database } = await createPlaces();
    await use(data, database, (store) => store.commit({ set: [{ key: ["k"], value: 1 }] }));
    const image = await openPostgresImage(toOpening(database.database, "copying"), false);
    await admin(database, `update cairn_lease set holder = '${randomUUID()}'`);
    const takenOver = "The database was taken over while the store was copied.";
    await expect(image.retire()).rejects.toMatchObject({ message: takenOver });
    await image.close();
    await admin(database, "update cairn_lease set until = 0");
    await use(data, database, async (store) => expect(await store.get(["k"])).toMatchObject({ value: 1 }));
  });
});

describe("a backup of a store in a database", () => {
  test("is a store in a folder as of one moment, while others write, and keeps every revision, result and hash", async () => {
    const { data, database } = await createPlaces();
    const directory = join(await temporaryFolder(), "store");
    const step = (id: string) => ({ add: [{ key: ["n"], delta: 1 }], append: [{ log: "audit/a", entry: id }], id });
    const { first, results } = await use(data, database, async (store) => {
      await store.commit({ set: range(1_200).map((n) => ({ key: ["k", n], value: "x".repeat(500) })) });
      const made = await store.commit(step("first"));
      const over = new AbortController();
      const backingUp = store.admin.backup(directory).finally(() => over.abort());
      const done = [made];
      while (!over.signal.aborted) done.push(await store.commit(step(String(done.length))));
      await backingUp;
      await expect(store.admin.backup(directory)).rejects.toMatchObject({ name: "BAD_REQUEST" });
      return { first: await store.get(["k", 7]), results: done };
    });
    expect(await readdir(directory)).toEqual(["data.mdb"]);
    const store = await openStoreAlone(directory);
    try {
      const said = readChain(await collect(store.readLog("audit/a", { from: 0 })));
      expect(await store.get(["n"])).toMatchObject({ value: said.length });
      expect(said.length).toBeLessThan(results.length);
      expect(await store.get(["k", 7])).toEqual(first);
      expect(await store.commit(step("first"))).toEqual(results[0]);
      await store.commit({ set: [{ key: ["k", 7], value: "new" }] });
      expect((await store.get(["k", 7]))?.rev).toBeGreaterThan(first?.rev ?? 0);
      expect(await store.admin.check()).toEqual([]);
    } finally {
      await store.admin.close();
    }
  });
});

describe("a data folder", () => {
  test("whose store is in a database is not used without, nor with another database", async () => {
    const { data, database } = await createPlaces();
    const other = await createPlaces();
    await use(data, database, (store) => store.commit({ set: [{ key: ["k"], value: 1 }] }));
    const refusal = (words: string) => ({ name: "BAD_REQUEST", message: expect.stringContaining(words) });
    await expect(use(data, LMDB, async () => 0)).rejects.toMatchObject(refusal("set CAIRN_STORE"));
    await expect(use(data, other.database, async () => 0)).rejects.toMatchObject(refusal("holds another store"));
    await use(other.data, LMDB, (store) => store.commit({ set: [{ key: ["k"], value: 1 }] }));
    await expect(use(other.data, other.database, async () => 0)).rejects.toMatchObject(refusal("`cairn store copy`"));
  });
});

type Database = Extract<StoreConfig, { engine: "postgres" }>;

async function createPlaces(): Promise<{ data: string; database: Database }> {
  const data = await temporaryFolder();
  return { data, database: { engine: "postgres", database: await toDatabase(data), limitMs: 10_000 } };
}

async function use<Result>(
  data: string,
  config: StoreConfig,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { store } = await openStore({ data, config, onAlarm: () => undefined });
  try {
    return await work(store);
  } finally {
    await store.admin.close();
  }
}

const copy = (data: string, database: Database, direction: "to-database" | "to-folder") =>
  copyStore(toOptions(data, database, direction));

function toOptions(data: string, database: Database, direction: "to-database" | "to-folder") {
  return { data, database, direction, command: "store copy", now: Date.now, onProgress: () => undefined };
}

async function show(store: Store) {
  const logs = await Promise.all(LOGS.map((log) => collect(store.readLog(log, { from: 0 }))));
  for (const links of logs) readChain(links);
  return {
    entries: await collect(store.scan({ prefix: [] })),
    hashes: logs.map((links) => links.map(({ hash, bytes }) => [hash, Buffer.from(bytes).toString()])),
  };
}

async function admin({ database: { host, port, user, database, schema } }: Database, sql: string): Promise<void> {
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  await client.query(`set search_path to ${client.escapeIdentifier(schema ?? "public")}`);
  await client.query(sql).finally(() => client.end());
}

function throwIt(error: Error): never {
  throw error;
}
