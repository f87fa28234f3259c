import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Json, LogEntry, Store } from "../../../../server/store/store.ts";
import { createDispatch } from "../../../../server/kernel/dispatch.ts";
import { createTransaction } from "../../../../server/kernel/transaction.ts";
import { createLineageSyscalls } from "../../../../server/capabilities/lineage/lineage.ts";
import type { Syscall } from "../../../../server/capabilities/declarations.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const NOW = Date.UTC(2026, 6, 1, 12);
const ALL: readonly Syscall[] = ["lineage.read", "lineage.write", "lineage.export"];

async function setUp(change: (store: Store) => Store = (store) => store) {
  const store = change(await openTestStore());
  const exports = await temporaryFolder();
  const dispatch = createDispatch(createLineageSyscalls({ store, now: () => NOW, exports }));
  /** One call that uses `ctx.lineage` once, and whether it is kept. */
  async function call(
    name: string,
    args: object,
    { tenant = "local", server = "beliefs", uses = ALL, keep = true, sideEffect = true } = {},
  ): Promise<Json | undefined> {
    const transaction = createTransaction(store);
    const running = createRunningCall({
      tool: { name: `${server}.tool`, server, uses: new Set(uses), sideEffect },
      transaction,
      call: { principal: { tenant, actor: "a", capabilities: new Set() } },
    });
    const answer = await dispatch(running, `lineage.${name}`, args);
    if (keep) await store.commit(transaction.staged());
    return answer;
  }
  return { store, exports, call };
}

async function fail(promise: Promise<unknown>): Promise<{ name: string; message: string }> {
  return promise.then(
    () => ({ name: "none", message: "" }),
    (error: Error) => ({ name: error.name, message: error.message }),
  );
}

describe("ctx.lineage", () => {
  test("keeps what is appended in order, each entry named by the next one's checksum", async () => {
    const { call } = await setUp();
    expect(await call("head", {})).toBeUndefined();
    for (const entry of ["a", { b: 1 }, null]) await call("append", { entry });
    const read = (await call("read", {})) as { seq: number; checksum: string; at: number; entry: Json }[];
    expect(read.map(({ seq, at, entry }) => ({ seq, at, entry }))).toEqual([
      { seq: 0, at: NOW, entry: "a" },
      { seq: 1, at: NOW, entry: { b: 1 } },
      { seq: 2, at: NOW, entry: null },
    ]);
    const links = read.map(({ at, entry }, seq) => {
      const prev = seq === 0 ? "0".repeat(64) : read[seq - 1]?.checksum;
      return hash("sha256", JSON.stringify({ entry: { at, entry, schemaVersion: 1 }, prev, seq }));
    });
    expect(read.map(({ checksum }) => checksum)).toEqual(links);
    expect(await call("head", {})).toEqual(read[2]);
  });

  test("appends with the call's transaction or not at all", async () => {
    const { call } = await setUp();
    await call("append", { entry: 1 }, { keep: false });
    expect(await call("read", {})).toEqual([]);
  });

  test("reads pages from the beginning and from the end", async () => {
    const { call } = await setUp();
    for (let entry = 0; entry < 7; entry += 1) await call("append", { entry });
    const read = async (page: object) => ((await call("read", page)) as { entry: Json }[]).map(({ entry }) => entry);
    expect(await read({ from: 2, limit: 3 })).toEqual([2, 3, 4]);
    expect(await read({ from: -2 })).toEqual([5, 6]);
    expect(await read({ from: -99, limit: 2 })).toEqual([0, 1]);
    expect(await read({ from: 7 })).toEqual([]);
    expect(await read({ from: 99 })).toEqual([]);
  });

  test("keeps tenants and servers apart", async () => {
    const { call } = await setUp();
    await call("append", { entry: "mine" });
    expect(await call("read", {}, { tenant: "other" })).toEqual([]);
    expect(await call("read", {}, { server: "elsewhere" })).toEqual([]);
  });

  test.each(["append", "read", "head", "export"])("%s needs its grant", async (name) => {
    const { call } = await setUp();
    const needs = { append: "lineage.write", export: "lineage.export" }[name] ?? "lineage.read";
    const uses = ALL.filter((grant) => grant !== needs);
    const { name: error, message } = await fail(call(name, { entry: 1, name: "a" }, { uses }));
    expect([error, message.includes(`\`${needs}\``)]).toEqual(["FORBIDDEN", true]);
  });

  test.each(["append", "export"])("%s is refused to a tool without side effects", async (name) => {
    const { call } = await setUp();
    expect((await fail(call(name, { entry: 1, name: "a" }, { sideEffect: false }))).name).toBe("FORBIDDEN");
  });

  test.each([
    ["append", {}],
    ["read", { from: 0.5 }],
    ["read", { limit: 0 }],
    ["read", { limit: 1_001 }],
    ["export", { name: 1 }],
  ])("refuses %s with %j", async (name, args) => {
    const { call } = await setUp();
    expect((await fail(call(name, args))).name).toBe("BAD_REQUEST");
  });

  test.each([
    ["whose text was changed", (one: LogEntry) => ({ ...one, bytes: Buffer.from(one.bytes).fill("x", 12, 13) })],
    ["whose checksum was changed", (one: LogEntry) => ({ ...one, hash: "f".repeat(64) })],
    ["that stands elsewhere", (one: LogEntry) => ({ ...one, seq: one.seq + 1 })],
  ])("refuses a log with an entry %s, wherever reading begins", async (_, damage) => {
    const { call } = await setUp((store) => ({
      ...store,
      async *readLog(log, options) {
        for await (const entry of store.readLog(log, options)) yield entry.seq === 2 ? damage(entry) : entry;
      },
    }));
    for (let entry = 0; entry < 5; entry += 1) await call("append", { entry });
    for (const page of [{}, { from: 2 }, { from: -3 }]) {
      expect((await fail(call("read", page))).name).toBe("INVARIANT_VIOLATION");
    }
    expect((await fail(call("export", { name: "log.json" }))).name).toBe("INVARIANT_VIOLATION");
    expect(await call("read", { limit: 2 })).toHaveLength(2);
  });
});

describe("ctx.lineage.export", () => {
  test("writes numbers, checksums and times, nothing of what entries say, and the file's own checksum", async () => {
    const { call, exports } = await setUp();
    const entries = Array.from({ length: 1_100 }, (_, index) => `secret-${index}`);
    await Promise.all(entries.map((entry) => call("append", { entry })));
    const answer = await call("export", { name: "lineage.json" });
    const [folder = ""] = await readdir(join(exports, "local", "beliefs"));
    const path = join(exports, "local", "beliefs", folder, "lineage.json");
    const text = await readFile(path, "utf8");
    expect(answer).toEqual({ checksum: hash("sha256", text), entries: 1_100 });
    expect(text).not.toContain("secret");
    const newest = (await call("head", {})) as { checksum: string };
    const written = JSON.parse(text) as object[];
    expect(written).toHaveLength(1_100);
    expect(written.at(-1)).toEqual({
      seq: 1_099,
      checksum: newest.checksum,
      timestamp: new Date(NOW).toISOString(),
    });
    expect(await readdir(join(exports, "local", "beliefs", folder))).toEqual(["lineage.json"]);
  });

  test("leaves what was there before when the log turns out to be damaged", async () => {
    let broken = false;
    const { call, exports } = await setUp((store) => ({
      ...store,
      async *readLog(log, options) {
        for await (const entry of store.readLog(log, options))
          yield broken ? { ...entry, hash: "0".repeat(64) } : entry;
      },
    }));
    await call("append", { entry: 1 });
    await call("export", { name: "a.json" });
    const [folder = ""] = await readdir(join(exports, "local", "beliefs"));
    const area = join(exports, "local", "beliefs", folder);
    const before = await readFile(join(area, "a.json"), "utf8");
    broken = true;
    expect((await fail(call("export", { name: "a.json" }))).name).toBe("INVARIANT_VIOLATION");
    expect([await readdir(area), await readFile(join(area, "a.json"), "utf8")]).toEqual([["a.json"], before]);
  });

  test.each(["", ".", "..", "../a", "/tmp/a.json", "a/b", "a\\b", ".hidden", "a\0", "é.json", "a".repeat(101)])(
    "refuses the name %j, and writes nothing",
    async (name) => {
      const { call, exports } = await setUp();
      expect((await fail(call("export", { name }))).name).toBe("BAD_REQUEST");
      expect(await readdir(exports)).toEqual([]);
    },
  );

  test("gives each tenant a folder that its name cannot lead out of", async () => {
    const { call, exports } = await setUp();
    for (const tenant of ["..", "a/b", "local"]) await call("export", { name: "a.json" }, { tenant });
    expect((await readdir(exports)).sort()).toEqual(["%2E.", "a%2Fb", "local"]);
  });

  test("refuses one file more than there may be, but replaces one", async () => {
    const { call, exports } = await setUp();
    await call("export", { name: "first.json" });
    const [folder = ""] = await readdir(join(exports, "local", "beliefs"));
    const area = join(exports, "local", "beliefs", folder);
    const names = Array.from({ length: 999 }, (_, index) => `f${index}`);
    await Promise.all(names.map((name) => writeFile(join(area, name), "")));
    expect((await fail(call("export", { name: "more.json" }))).name).toBe("CONFLICT");
    expect(await call("export", { name: "first.json" })).toMatchObject({ entries: 0 });
  });

  test("is refused where the service has no folder for it", async () => {
    const store = await openTestStore();
    const dispatch = createDispatch(createLineageSyscalls({ store, now: () => NOW }));
    const tool = { name: "s.t", server: "s", uses: new Set(ALL), sideEffect: true };
    expect((await fail(dispatch(createRunningCall({ tool }), "lineage.export", { name: "a" }))).name).toBe("FORBIDDEN");
  });
});
