import { inspect } from "node:util";
import pg from "pg";
import { describe as describeAlways, expect, onTestFinished, test, vi } from "vitest";
import { openPostgresStore, type PostgresStoreOptions } from "../../../../server/store/postgres/postgres.ts";
import type { Store } from "../../../../server/store/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../../stand-ins/database-proxy.ts";
import { hasPostgres, toDatabase } from "../../../stand-ins/postgres.ts";
import { readChain } from "../chain.ts";
import { collect, range } from "../open-store.ts";

const describe = describeAlways.runIf(hasPostgres("faults of a database"));
const once = {
  add: [{ key: ["n"], delta: 1 }],
  append: [{ log: "audit", entry: "once" }],
};
const unavailable = { name: "UNAVAILABLE" };

describe("a connection that breaks during a commit", () => {
  test.each(["cut-before", "cut-after", "half-open", "aborted"] as const)(
    "has one effect and one answer when it is %s",
    async (fate) => {
      const { store, proxy } = await openThrough();
      await store.commit({ set: [{ key: ["n"], value: 0 }] });
      proxy.strike(fate);
      const [result, other] = await Promise.all([
        store.commit(once),
        store.commit({ set: [{ key: ["m"], value: 1 }] }),
      ]);
      expect(proxy.struck()).toBe(1);
      expect([result, other]).toMatchObject([{ ok: true, logs: [{ seq: 0 }] }, { ok: true }]);
      expect(await store.getMany([["n"], ["m"]])).toMatchObject([{ value: 1 }, { value: 1 }]);
      expect(readChain(await collect(store.readLog("audit", { from: 0 })))).toEqual(["once"]);
    },
  );

  test.each([
    ["never happened", "cut-before"],
    ["has happened", "cut-after"],
  ] as const)("is settled by asking again when the first answer to that was lost: it %s", async (_, fate) => {
    const { store, proxy } = await openThrough();
    proxy.strike(fate);
    proxy.loseAnswer("cairn_settleTurn");
    expect(await store.commit(once)).toMatchObject({ ok: true });
    expect(await store.get(["n"])).toMatchObject({ value: 1 });
    expect(readChain(await collect(store.readLog("audit", { from: 0 })))).toEqual(["once"]);
  });

  test("loses nothing that was acknowledged and does nothing twice, again and again", async () => {
    const { store, proxy } = await openThrough();
    const fates = ["cut-before", "cut-after", "aborted"] as const;
    const writers = range(4).map(async (writer) => {
      for (const turn of range(10)) {
        if (writer === 0) proxy.strike(fates[turn % fates.length] ?? "aborted");
        const entry = `${writer}/${turn}`;
        expect(await store.commit({ add: [{ key: ["n"], delta: 1 }], append: [{ log: "l", entry }] })).toMatchObject({
          ok: true,
        });
      }
    });
    await Promise.all(writers);
    const said = readChain(await collect(store.readLog("l", { from: 0 })));
    expect([said.length, new Set(said).size]).toEqual([40, 40]);
    expect(await store.get(["n"])).toMatchObject({ value: 40 });
    expect(proxy.struck()).toBe(10);
    expect(await store.admin.check()).toEqual([]);
  });
});

describe("a database that is away", () => {
  test("makes calls unavailable within their time, and is used again when it is back", async () => {
    const { store, proxy } = await openThrough({ limitMs: 1_000 });
    await store.commit({ set: [{ key: ["k"], value: 1 }] });
    proxy.swallow(true);
    const calls = [store.get(["k"]), store.commit(once), store.head("audit"), collect(store.scan({ prefix: [] }))];
    for (const end of await Promise.allSettled(calls)) expect(end).toMatchObject({ reason: unavailable });
    proxy.swallow(false);
    await vi.waitFor(async () => expect(await store.get(["k"])).toMatchObject({ value: 1 }), 10_000);
    await vi.waitFor(
      async () => expect(await store.commit({ ...once, id: "again" })).toMatchObject({ ok: true }),
      10_000,
    );
  });

  test("that only closes its connections is not noticed by callers", async () => {
    const { store, proxy } = await openThrough();
    for (const n of range(5)) {
      await store.commit({ set: [{ key: ["k"], value: n }] });
      proxy.cut();
      expect(await store.get(["k"])).toMatchObject({ value: n });
      expect(await collect(store.scan({ prefix: [] }))).toHaveLength(1);
    }
  });

  test("is no reason for a start to hang", async () => {
    const proxy = await openDatabaseProxy(1);
    proxy.swallow(true);
    await expect(openThrough({ limitMs: 300, proxy })).rejects.toMatchObject(unavailable);
  });

  test("or takes no writes, is not used", async () => {
    const { admin, database } = await openThrough();
    const role = `standby_${database.schema}`;
    await admin.query(`create role ${role} login superuser`);
    await admin.query(`alter role ${role} set default_transaction_read_only = on`);
    await expect(openThrough({ limitMs: 2_000, user: role })).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("takes no writes"),
    });
  });
});

describe("a database that warns of a commit", () => {
  test("makes it unavailable, in whichever language the server speaks", async () => {
    const { store, admin } = await openThrough();
    await store.commit({ set: [{ key: ["n"], value: 0 }] });
    // Its severity is no `WARNING`, as it is none where `lc_messages` is another language.
    await admin.query(
      "create function warn() returns trigger language plpgsql as $$ begin raise notice 'not on the standby' using errcode = '01000'; return new; end $$",
    );
    await admin.query("create trigger warn before insert on cairn_turns for each row execute function warn()");
    await expect(store.commit(once)).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("as safely as its server should: not on the standby"),
    });
    await admin.query("drop trigger warn on cairn_turns");
    expect(await store.commit(once)).toMatchObject({ ok: true });
  });
});

describe("the account of the database", () => {
  test("gives its password, which is read for each connection and is in no error", async () => {
    const { admin, options, proxy } = await openThrough();
    const role = "guarded";
    await admin.query(`create role ${role} login superuser password 'correct-horse'`);
    let password = "wrong-horse";
    const guarded: PostgresStoreOptions = {
      ...options,
      database: { ...options.database, user: role },
      password: async () => password,
    };
    const refused = await openPostgresStore({ ...guarded, limitMs: 1_000 }).catch((error: Error) => error);
    expect(refused).toMatchObject({ ...unavailable, message: expect.stringContaining("authentication failed") });
    expect(inspect(refused, { depth: 9, showHidden: true })).not.toContain("wrong-horse");
    password = "correct-horse";
    const { store } = await openPostgresStore(guarded);
    onTestFinished(() => store.admin.close());
    await admin.query(`alter role ${role} password 'battery-staple'`);
    proxy.cut();
    password = "battery-staple";
    expect(await store.get(["k"])).toBeUndefined();
  });
});

describe("a database that lost what it had acknowledged", () => {
  test("is noticed when the connection is made anew, said loudly, and not used any more", async () => {
    const alarms: string[] = [];
    const { store, proxy, admin } = await openThrough({ onAlarm: (message) => alarms.push(message) });
    await store.commit(once);
    // As an older backup would have it.
    await admin.query("delete from cairn_turns");
    await admin.query("delete from cairn_logs");
    await admin.query("delete from cairn_heads");
    proxy.cut();
    const lost = { ...unavailable, message: expect.stringContaining("lost writes that it had acknowledged") };
    await expect(store.get(["n"])).rejects.toMatchObject(lost);
    await expect(store.commit(once)).rejects.toMatchObject(lost);
    expect(alarms).toHaveLength(1);
  });

  test("is noticed by the next write where the connection stayed, before anything is written", async () => {
    const alarms: string[] = [];
    const { store, admin } = await openThrough({ onAlarm: (message) => alarms.push(message) });
    await store.commit(once);
    await admin.query("delete from cairn_turns");
    await expect(store.commit({ set: [{ key: ["later"], value: 1 }] })).rejects.toMatchObject(unavailable);
    expect(alarms).toEqual([expect.stringContaining("lost writes that it had acknowledged")]);
    expect((await admin.query("select 1 from cairn_entries")).rows).toHaveLength(1);
  });
});

describe("another node", () => {
  test("is refused as long as the first shows signs of life, and told who that is", async () => {
    const { options } = await openThrough({ label: "node one" });
    await expect(
      openPostgresStore({ ...options, node: { node: "two", label: "node two" }, limitMs: 10_000 }),
    ).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining("in use by node one") });
  });

  test("that has taken the database over ends the first, which is said loudly", async () => {
    const alarms: string[] = [];
    const { store, options } = await openThrough({ onAlarm: (message) => alarms.push(message) });
    await store.commit(once);
    // The same data folder, so the former opening has ended for all that it knows.
    const second = await openPostgresStore(options);
    onTestFinished(() => second.store.admin.close());
    await expect(store.commit(once)).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("was taken over by"),
    });
    await expect(store.get(["n"])).rejects.toMatchObject(unavailable);
    expect(alarms).toHaveLength(1);
    expect(await second.store.get(["n"])).toMatchObject({ value: 1 });
  });

  test.each([["j"], ["elsewhere"]])(
    "that makes a row first fails a commit which relied on its absence, and writes %s",
    async (written) => {
      const { store, admin } = await openThrough();
      await store.commit({ set: [{ key: ["k"], value: "first" }] });
      await admin.query("begin");
      // What another node does with the key `["j"]`, which was absent.
      await admin.query(
        "insert into cairn_entries select decode('206a00', 'hex'), rev, 0, 0, parent, body from cairn_entries",
      );
      const relying = store.commit({ check: [{ key: ["j"], rev: 0 }], set: [{ key: [written], value: "mine" }] });
      await vi.waitFor(async () => {
        const { rows } = await admin.query("select 1 from pg_locks where not granted");
        expect(rows).not.toEqual([]);
      });
      await admin.query("commit");
      expect(await relying).toEqual({ ok: false, conflict: ["j"] });
      expect(await collect(store.scan({ prefix: [] }))).toMatchObject([
        { key: ["j"], value: "first" },
        { key: ["k"], value: "first" },
      ]);
    },
  );
});

interface Through extends Partial<Pick<PostgresStoreOptions, "limitMs" | "onAlarm">> {
  readonly proxy?: DatabaseProxy;
  readonly user?: string;
  readonly label?: string;
}

/** A store behind a proxy, and a client of the database itself. */
async function openThrough({ limitMs = 4_000, proxy: given, user, label = "test", onAlarm }: Through = {}) {
  const database = await toDatabase(await temporaryFolder());
  const proxy = given ?? (await openDatabaseProxy(database.port));
  const admin = new pg.Client({
    host: database.host,
    port: database.port,
    user: database.user,
    database: database.database,
    password: "",
    ssl: false,
    options: `-c search_path=${database.schema}`,
  });
  await admin.connect();
  onTestFinished(() => admin.end());
  const options: PostgresStoreOptions = {
    database: { ...database, port: proxy.port, ...(user && { user }) },
    password: async () => undefined,
    limitMs,
    node: { node: "one", label },
    onAlarm: onAlarm ?? (() => undefined),
  };
  const { store }: { store: Store } = await openPostgresStore(options);
  onTestFinished(() => store.admin.close());
  return { store, proxy, admin, database, options };
}
