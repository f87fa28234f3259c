import { describe, expect, test } from "vitest";
import { createIdentifiers } from "../../../server/identifiers.ts";
import { createJournal } from "../../../server/kernel/journal.ts";
import type { CallRecord } from "../../../server/kernel/record.ts";
import { createLog } from "../../../server/log/log.ts";
import { findCalls } from "../../../server/store/calls/find-calls.ts";
import { scanCalls } from "../../../server/store/calls/scan-calls.ts";
import { SEGMENT_RECORDS, segmentsOf } from "../../../server/store/calls/segment.ts";
import { auditLog, callKey, callsOfConversation, callsOfVersion } from "../../../server/store/keys.ts";
import type { Commit, Key, Store } from "../../../server/store/store.ts";
import { createTransaction } from "../../../server/kernel/transaction.ts";
import { eventually } from "../../helpers/eventually.ts";
import { openTestStore } from "../../helpers/store.ts";

const BATCH = 256;
const BACKLOG = 4096;

const keyOf = (id: string) => callKey("t", "c", id);
const recordOf = (id: string, more: Partial<CallRecord> = {}): CallRecord => ({
  schemaVersion: 1,
  id,
  conversationId: id,
  tenant: "t",
  actor: "a",
  commit: "c",
  version: "1.0.0",
  server: "s",
  tool: "s.t",
  toolVersion: "1.0.0",
  parameters: {},
  salt: "5a17",
  seed: "5eed",
  inputDigest: "d",
  outcome: "ok",
  startedAt: 0,
  durationMs: 1,
  logs: [],
  ...more,
});

/** A journal on a real store whose commits can be watched, held up and made to fail. */
async function setUp(before: (commit: Commit) => Promise<void> | void = () => undefined) {
  const real = await openTestStore();
  const commits: Commit[] = [];
  const store: Store = {
    ...real,
    async commit(commit) {
      commits.push(commit);
      await before(commit);
      return real.commit(commit);
    },
  };
  const logged: string[] = [];
  const log = createLog("info", { write: (line) => void logged.push(line) });
  return { store, commits, logged, journal: createJournal({ store, log }) };
}

/** A journal whose store writes the first commit, and loses the answer. */
function createLossy(store: Store) {
  let losses = 1;
  return createJournal({
    store: {
      ...store,
      async commit(commit) {
        const result = await store.commit(commit);
        if (losses-- > 0) throw new Error("late");
        return result;
      },
    },
    log: createLog("silent", { write: () => undefined }),
  });
}

const idsOf = ({ set = [] }: Commit) => set.filter(({ key }) => key[0] === keyOf("")[0]).map(({ key }) => key.at(-1));

describe("a journal", () => {
  test("writes records that trail together, with their indexes and one audit entry", async () => {
    const { store, commits, journal } = await setUp();
    expect(journal.trail(recordOf("1"))).toBeUndefined();
    journal.trail(recordOf("2", { conversationId: "1" }));
    expect(commits).toEqual([]);
    await journal.settled();
    expect(commits).toHaveLength(1);
    expect((await store.get(keyOf("2")))?.value).toMatchObject({ id: "2", conversationId: "1" });
    const keysUnder = async (prefix: readonly string[]) => {
      const keys = [];
      for await (const { key } of store.scan({ prefix })) keys.push(key.at(-1));
      return keys;
    };
    expect(await keysUnder(callsOfVersion("t", "c") as string[])).toEqual(["1", "2"]);
    expect(await keysUnder(callsOfConversation("t", "1") as string[])).toEqual(["2"]);
    const entries = [];
    for await (const { bytes } of store.readLog(auditLog("t"), { from: 0 }))
      entries.push(JSON.parse(Buffer.from(bytes).toString()));
    expect(entries.map(({ entry }) => Object.keys(entry.calls.c))).toEqual([["1", "2"]]);
  });

  test("writes them by itself within a moment, without being asked", async () => {
    const { store, journal } = await setUp();
    journal.trail(recordOf("1"));
    await eventually(async () => expect(await store.get(keyOf("1"))).toBeDefined());
  });

  test("has written all that trailed before when it is settled", async () => {
    const { store, journal } = await setUp();
    expect(await journal.settled()).toBeUndefined();
    const ids = Array.from({ length: 3 * BATCH + 1 }, (_, index) => `r${index}`);
    for (const id of ids) journal.trail(recordOf(id));
    await journal.settled();
    const found = await store.getMany(ids.map((id) => keyOf(id)));
    expect(found.filter((entry) => entry === undefined)).toEqual([]);
  });

  test("lets one record that cannot be written harm no other, and logs it", async () => {
    const { store, logged, journal } = await setUp((commit) => {
      if (idsOf(commit).includes("bad")) throw new Error("no room");
    });
    for (const id of ["1", "bad", "2"]) journal.trail(recordOf(id));
    await journal.settled();
    expect(await store.get(keyOf("1"))).toBeDefined();
    expect(await store.get(keyOf("2"))).toBeDefined();
    expect(await store.get(keyOf("bad"))).toBeUndefined();
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { call: "bad", msg: "record of a call was not written" },
    ]);
  });

  test("makes calls wait when the store is slower than they are", async () => {
    const gate = Promise.withResolvers<void>();
    const { journal } = await setUp(() => gate.promise);
    for (let n = 1; n < BACKLOG; n += 1) expect(journal.trail(recordOf(`r${n}`))).toBeUndefined();
    const waits = journal.trail(recordOf("last"));
    expect(waits).toBeInstanceOf(Promise);
    gate.resolve();
    await waits;
    expect(journal.trail(recordOf("next"))).toBeUndefined();
    await journal.settled();
  });

  test("writes a record with what its call changed, or neither when what it had read is another by now", async () => {
    const { store, journal } = await setUp();
    const transaction = createTransaction(store);
    await transaction.get(["n"]);
    transaction.set(["n"], 1);
    expect(await journal.commit(recordOf("1"), transaction.staged())).toBe(true);
    expect((await store.get(["n"]))?.value).toBe(1);
    expect(await journal.commit(recordOf("2"), transaction.staged())).toBe(false);
    expect(await store.get(keyOf("2"))).toBeUndefined();
    expect(await journal.commit(recordOf("3"))).toBe(true);
  });

  test.each(["by itself", "with others"])(
    "keeps the record of a call whose answer from the store was lost, and no failure in its place, %s",
    async (how) => {
      const { store, journal } = await setUp();
      const lost = createJournal({
        store: { ...store, commit: (commit) => store.commit(commit).then(() => Promise.reject(new Error("late"))) },
        log: createLog("silent", { write: () => undefined }),
      });
      await expect(lost.commit(recordOf("1"), { set: [{ key: ["n"], value: 1 }] })).rejects.toThrow("late");
      const failed = recordOf("1", {
        outcome: "UNAVAILABLE",
        message: "It is unknown whether the call had an effect.",
      });
      if (how === "by itself") expect(await journal.commit(failed, { set: [{ key: ["n"], value: 2 }] })).toBe(false);
      else for (const record of [recordOf("0"), failed, recordOf("2")]) journal.trail(record);
      await journal.settled();

      expect(await store.getMany(["0", "1", "2"].map(keyOf))).toMatchObject(
        how === "by itself"
          ? [undefined, { value: { outcome: "ok" } }, undefined]
          : [{ value: { outcome: "ok" } }, { value: { outcome: "ok" } }, { value: { outcome: "ok" } }],
      );
      expect((await store.get(["n"]))?.value).toBe(1);
      const named = [];
      for await (const { bytes } of store.readLog(auditLog("t"), { from: 0 }))
        named.push(...Object.keys(JSON.parse(Buffer.from(bytes).toString()).entry.calls.c));
      expect(named.sort()).toEqual(how === "by itself" ? ["1"] : ["0", "1", "2"]);
    },
  );

  test("names a record once that is tried again because an answer from the store was lost", async () => {
    const { store, journal } = await setUp();
    const lost = createLossy(store);
    for (const id of ["1", "2"]) lost.trail(recordOf(id));
    await Promise.all([lost.settled(), journal.settled()]);
    expect(await Array.fromAsync(store.readLog(auditLog("t"), { from: 0 }))).toHaveLength(1);
  });
});

describe("records that a journal writes together", () => {
  const START = Date.UTC(2026, 0, 1);
  const createTimed = () => createIdentifiers(() => START);
  const entriesOf = (store: Store, prefix: Key) => Array.fromAsync(store.scan({ prefix }));
  const named = async (store: Store) => {
    const names: string[] = [];
    for await (const { bytes } of store.readLog(auditLog("t"), { from: 0 }))
      names.push(...Object.keys(JSON.parse(Buffer.from(bytes).toString()).entry.calls.c));
    return names.sort();
  };
  const find = (store: Store, ids: readonly string[]) =>
    findCalls(
      store,
      "t",
      ids.map((id) => ({ commit: "c", id })),
    );

  test("share a value, and the audit names each; those of calls that failed stand alone", async () => {
    const { store, commits, journal } = await setUp();
    const ids = Array.from({ length: 6 }, createTimed());
    const records = ids.map((id, at) => recordOf(id, at === 2 ? { outcome: "TOOL_FAILED" } : {}));
    for (const record of records) journal.trail(record);
    await journal.settled();
    expect(commits).toHaveLength(1);
    expect((await entriesOf(store, callsOfVersion("t", "c"))).map(({ key }) => key)).toEqual([
      keyOf(ids[2] ?? ""),
      [...segmentsOf("t", "c"), ids[5], ids[0]],
    ]);
    expect(await find(store, ids)).toEqual(records);
    expect(await named(store)).toEqual(ids);
  });

  test("are there once, also when the store's answer about them was lost", async () => {
    const { store } = await setUp();
    const lost = createLossy(store);
    const ids = Array.from({ length: 100 }, createTimed());
    const records = ids.map((id, at) => recordOf(id, at === 7 ? { outcome: "TOOL_FAILED" } : {}));
    for (const record of records) lost.trail(record);
    await lost.settled();
    expect(await entriesOf(store, callsOfVersion("t", "c"))).toHaveLength(1 + Math.ceil(99 / SEGMENT_RECORDS));
    expect(await Array.fromAsync(scanCalls(store, { tenant: "t", commit: "c" }))).toEqual(records.toReversed());
    expect(await named(store)).toEqual(ids);
  });

  test("are written one by one where they cannot be written together", async () => {
    const isShared = ({ set = [] }: Commit) => set.some(({ key }) => key.length > keyOf("").length);
    const { store, logged, journal } = await setUp((commit) => {
      if (isShared(commit)) throw new Error("no room");
    });
    const ids = Array.from({ length: 10 }, createTimed());
    for (const id of ids) journal.trail(recordOf(id));
    await journal.settled();
    expect(logged).toEqual([]);
    expect(await store.getMany(ids.map(keyOf))).not.toContain(undefined);
    expect(await entriesOf(store, callsOfVersion("t", "c"))).toHaveLength(10);
    expect(await named(store)).toEqual(ids);
  });
});
