import { randomUUID } from "node:crypto";
import { describe as describeAlways, expect, test, vi } from "vitest";
import type { Query } from "../../../../server/store/postgres/connection.ts";
import { openPostgresStore } from "../../../../server/store/postgres/postgres.ts";
import { createSharedLease } from "../../../../server/store/postgres/shared-lease.ts";
import { createStanding } from "../../../../server/store/postgres/standing.ts";
import { TURNS_KEPT_MS } from "../../../../server/store/postgres/turns.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { openDatabaseProxy } from "../../../stand-ins/database-proxy.ts";
import { hasPostgres } from "../../../stand-ins/postgres.ts";
import { readChain } from "../chain.ts";
import { collect, range } from "../open-store.ts";
import { createPlace, toOptions } from "./create-place.ts";

const describe = describeAlways.runIf(hasPostgres("nodes that share a database"));
const unavailable = (words: string) => ({ name: "UNAVAILABLE", message: expect.stringContaining(words) });
const lost = unavailable("lost writes that it had acknowledged");

describe("nodes that share a database", () => {
  test("write it together: sums, checks, claims and logs are those of one store", async () => {
    const { open } = await createPlace();
    const [one, two] = [await open("one"), await open("two")];
    const both = [one.store, two.store];
    const works = range(60).map((n) =>
      both[n % 2]?.commit({
        add: [{ key: ["n"], delta: 1, max: 50 }],
        append: [{ log: "audit", entry: n }],
      }),
    );
    const done = (await Promise.all(works)).filter((result) => result?.ok === true);
    expect(done).toHaveLength(50);
    expect(await two.store.get(["n"])).toMatchObject({ value: 50 });
    expect(readChain(await collect(one.store.readLog("audit", { from: 0 })))).toHaveLength(50);
    const firsts = await Promise.all(
      both.map((store, n) =>
        store.commit({ check: [{ key: ["first"], rev: 0 }], set: [{ key: ["first"], value: n }] }),
      ),
    );
    expect(firsts.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    await one.store.commit({ set: range(20).map((n) => ({ key: ["q", n], value: n })) });
    const claims = await Promise.all(both.map((store) => store.claim({ queue: ["q"], leaseMs: 60_000, limit: 20 })));
    const claimed = claims.flat().map(({ value }) => value);
    expect([claimed.length, new Set(claimed).size]).toEqual([20, 20]);
    expect(await one.store.admin.check()).toEqual([]);
  });

  test("make one store where they find none at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { open, admin } = await createPlace();
      const opened = await Promise.all(range(4).map((n) => open(`node ${n}`)));
      expect((await admin("select id from cairn_store")).rows).toEqual([{ id: opened[0]?.id }]);
      expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    }
  });

  test("know each other, by what each says of itself", async () => {
    const { open } = await createPlace();
    const one = await open("one", { address: "http://127.0.0.1:1", release: "1.2.3" });
    const two = await open("two", { release: "1.3.0" });
    const members = await one.members?.list();
    expect(members).toEqual([one.members?.self, two.members?.self]);
    expect(members).toMatchObject([
      { id: "one", label: "node one", address: "http://127.0.0.1:1", release: "1.2.3" },
      { id: "two", release: "1.3.0" },
    ]);
    expect(members?.[1]).not.toHaveProperty("address");
    await two.store.admin.close();
    expect(await one.members?.list()).toMatchObject([{ id: "one" }]);
  });

  test("hear within a moment of what another has changed, and not of what else it has", async () => {
    const { open } = await createPlace();
    const [one, two] = [await open("one"), await open("two")];
    const heard: string[] = [];
    for (const name of ["a", "b"]) two.store.watch([name], () => heard.push(name));
    await one.store.commit({ set: [{ key: ["a", "x"], value: 1 }] });
    await vi.waitFor(() => expect(heard).toEqual(["a"]), 5_000);
    // More keys than a hint has room for: their beginnings are in it.
    await one.store.commit({ set: range(600).map((n) => ({ key: ["b", "x".repeat(40), n], value: n })) });
    await vi.waitFor(() => expect(heard).toEqual(["a", "b"]), 5_000);
  });
});

describe("a node", () => {
  test("that has the database for itself keeps those out which share it, and they keep it out", async () => {
    const { open, database } = await createPlace();
    const sole = await openPostgresStore(toOptions(database, "sole"));
    await expect(open("one")).rejects.toMatchObject(unavailable("node sole: it has the database for itself"));
    await sole.store.admin.close();
    const one = await open("one");
    await one.store.commit({ set: [{ key: ["k"], value: 1 }] });
    await expect(openPostgresStore(toOptions(database, "sole"))).rejects.toMatchObject(
      unavailable("node one: these share it. Set CAIRN_NODE_ADDRESS"),
    );
    await one.store.admin.close();
    const { store } = await openPostgresStore(toOptions(database, "sole"));
    expect(await store.get(["k"])).toMatchObject({ value: 1 });
    await store.admin.close();
  });

  test("that was struck off writes and reads nothing any more, and says so once", async () => {
    const alarms: string[] = [];
    const { open, admin } = await createPlace();
    const [one, two] = [await open("one", {}, (message) => alarms.push(message)), await open("two")];
    await one.store.commit({ set: [{ key: ["k"], value: 1 }] });
    await admin("delete from cairn_nodes where node = 'one'");
    await expect(one.store.commit({ set: [{ key: ["k"], value: 2 }] })).rejects.toMatchObject(
      unavailable("restart it"),
    );
    await expect(one.store.get(["k"])).rejects.toMatchObject(unavailable("restart it"));
    expect(alarms).toHaveLength(1);
    expect(await two.store.get(["k"])).toMatchObject({ value: 1 });
    expect(await two.store.commit({ set: [{ key: ["k"], value: 3 }] })).toMatchObject({ ok: true });
  });

  test("that wrote nothing notices that the database lost what it has read of another's writes", async () => {
    const { open, admin } = await createPlace();
    const one = await open("one");
    const alarms: string[] = [];
    const two = await open("two", {}, (message) => alarms.push(message));
    const heard = Promise.withResolvers<void>();
    two.store.watch(["k"], heard.resolve);
    await one.store.commit({ set: [{ key: ["k"], value: 1 }] });
    await heard.promise;
    expect((await admin("delete from cairn_turns where id in (select id from cairn_hints)")).rowCount).toBe(1);
    await expect(two.store.commit({ set: [{ key: ["later"], value: 1 }] })).rejects.toMatchObject(lost);
    expect(alarms).toHaveLength(1);
    expect((await admin("select 1 from cairn_entries")).rows).toHaveLength(1);
  });

  test("that wrote and read nothing notices it by the signs that it writes beside its renewals", async () => {
    const { open, admin } = await createPlace();
    const alarms: string[] = [];
    const { store } = await open("one", {}, (message) => alarms.push(message));
    await eventually(async () => expect((await admin("delete from cairn_turns")).rowCount).toBe(1));
    await eventually(() => expect(alarms).toEqual([lost.message]));
    await expect(store.get(["k"])).rejects.toMatchObject(lost);
  });

  test("asks once for a transaction of its own that it has also read", () => {
    const lease = { find: () => expect.fail("nobody connects") };
    const standing = createStanding(() => undefined, { holder: "h", lease, elapsed: () => 0 });
    standing.notice("own");
    standing.acknowledge("own");
    const turns = standing.knownTurns();
    expect(turns).toEqual(["own"]);
    standing.assertKept(1, turns);
    expect(() => standing.assertKept(0, turns)).toThrow("lost writes");
  });

  test("asks for what it has read of others only while they keep it", () => {
    let time = 0;
    const lease = { find: () => expect.fail("nobody connects") };
    const standing = createStanding(() => undefined, { holder: "h", lease, elapsed: () => time });
    standing.acknowledge("own");
    standing.notice("another's");
    time = TURNS_KEPT_MS / 2 - 1;
    expect(standing.knownTurns()).toEqual(["own", "another's"]);
    time += 1;
    expect(standing.knownTurns()).toEqual(["own"]);
  });

  test("that is silent is struck off after several looks, one that renewed meanwhile is not", async () => {
    const { open, admin } = await createPlace();
    await open("one");
    const holder = randomUUID();
    const alarms: string[] = [];
    const own = { node: "looking", holder, label: "looking", release: "1" };
    const lease = createSharedLease(own, (message) => void alarms.push(message));
    const query: Query = async ({ text }, values = []) => {
      const { rows, command, rowCount } = await admin(text, [...values]);
      return { rows, command, rowCount: rowCount ?? 0 };
    };
    const add = (node: string) =>
      admin(
        "insert into cairn_nodes (node, holder, label, address, release, started, until) values ($1, $2, $1, '', '1', 0, $3)",
        [node, node === "looking" ? holder : randomUUID(), node === "looking" ? 1e15 : 5],
      );
    for (const node of ["looking", "silent", "slow"]) await add(node);
    const list = async () => (await admin("select node from cairn_nodes order by node")).rows.map(({ node }) => node);
    for (const _ of range(4)) expect(await lease.renew(query)).toBe(true);
    expect(await list()).toEqual(["looking", "one", "silent", "slow"]);
    await admin("update cairn_nodes set until = 6 where node = 'slow'");
    await lease.renew(query);
    expect(await list()).toEqual(["looking", "one", "slow"]);
    expect(alarms).toEqual(["The node silent gave no sign of life, and was struck off."]);
  });

  test("starts although the server takes back its first transaction, or loses the connection in it", async () => {
    const { database } = await createPlace();
    for (const fate of ["aborted", "cut-before", "cut-after"] as const) {
      const proxy = await openDatabaseProxy(database.port);
      proxy.strike(fate);
      const through = toOptions({ ...database, port: proxy.port }, fate);
      const { store } = await openPostgresStore({ ...through, shared: { release: "1.0.0" } });
      expect(await store.commit({ add: [{ key: ["n"], delta: 1 }] })).toMatchObject({ ok: true });
      expect(proxy.struck()).toBe(1);
      await store.admin.close();
    }
  });

  test("of an earlier Cairn does not start beside those that share, nor on tables of a later one", async () => {
    const { open, admin, database } = await createPlace();
    await open("one");
    // What an earlier Cairn knows is version 1.
    expect((await admin("select version from cairn_store")).rows).toEqual([{ version: "2" }]);
    await admin("update cairn_store set version = 3");
    await expect(open("two")).rejects.toMatchObject(unavailable("have version 3, and this Cairn knows those up to 2"));
    await expect(openPostgresStore(toOptions(database, "sole"))).rejects.toMatchObject(unavailable("version 3"));
  });
});
