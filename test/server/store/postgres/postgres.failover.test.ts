import { setTimeout as sleep } from "node:timers/promises";
import { describe as describeAlways, expect, onTestFinished, test, vi } from "vitest";
import { openPostgresStore } from "../../../../server/store/postgres/postgres.ts";
import { openDatabaseProxy } from "../../../stand-ins/database-proxy.ts";
import { openPostgresPair } from "../../../stand-ins/postgres-pair.ts";
import { hasPostgres } from "../../../stand-ins/postgres.ts";
import { readChain } from "../chain.ts";
import { collect } from "../open-store.ts";

const describe = describeAlways.runIf(hasPostgres("failovers of a database"));
const once = { add: [{ key: ["n"], delta: 1 }], append: [{ log: "audit", entry: "once" }] };

describe("a server that waits no longer for its synchronous standby", { timeout: 120_000 }, () => {
  test("makes the commit unavailable that it acknowledges", async () => {
    const { pair, store } = await openThrough(true);
    await store.commit({ set: [{ key: ["n"], value: 0 }] });
    pair.link.swallow(true);
    const commit = expect(store.commit(once)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: expect.stringContaining("as safely as its server should"),
    });
    const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
    await vi.waitFor(async () => expect(await pair.query(cancel)).not.toEqual([]), 10_000);
    await commit;
    pair.link.swallow(false);
  });
});

describe("a failover", { timeout: 120_000 }, () => {
  test("to a synchronous standby loses nothing, also not what a server that came back had not passed on", async () => {
    const { pair, proxy, store } = await openThrough(true);
    await store.commit({ set: [{ key: ["n"], value: 0 }] });
    pair.link.swallow(true);
    let isAnswered = false;
    const commit = store.commit(once).finally(() => (isAnswered = true));
    const untilWaiting = async (statement: string) => {
      const find = `select 1 from pg_stat_activity where wait_event = 'SyncRep' and query like '${statement}%'`;
      for (;;) {
        if (isAnswered || (await pair.query(find)).length > 0) return;
        await sleep(20);
      }
    };
    await untilWaiting("commit");
    // Back without its standby, the server shows the commit, and could still lose it.
    await pair.kill();
    await pair.restart();
    await untilWaiting("insert into cairn_turns");
    expect(isAnswered).toBe(false);
    await pair.promote();
    proxy.retarget(pair.primary().port);
    expect(await commit).toMatchObject({ ok: true, logs: [{ seq: 0 }] });
    expect(await store.get(["n"])).toMatchObject({ value: 1 });
    expect(readChain(await collect(store.readLog("audit", { from: 0 })))).toEqual(["once"]);
  });

  test("to a standby that lagged is noticed by all who had a write acknowledged since, said loudly, and ends their use of it", async () => {
    const { pair, proxy, store, alarms } = await openThrough(false);
    await store.commit({ set: [{ key: ["n"], value: 0 }] });
    await vi.waitFor(async () => expect(await pair.isCaughtUp()).toBe(true), 10_000);
    pair.link.swallow(true);
    expect(await store.commit(once)).toMatchObject({ ok: true });
    await pair.promote();
    proxy.retarget(pair.primary().port);
    const lost = { name: "UNAVAILABLE", message: expect.stringContaining("lost writes that it had acknowledged") };
    await expect(store.get(["n"])).rejects.toMatchObject(lost);
    await expect(store.commit(once)).rejects.toMatchObject(lost);
    expect(alarms).toHaveLength(1);
    expect(await pair.query("select 1 from cairn_logs")).toEqual([]);
  });
});

async function openThrough(isSynchronous: boolean) {
  const pair = await openPostgresPair(isSynchronous);
  const proxy = await openDatabaseProxy(pair.primary().port);
  const alarms: string[] = [];
  const { store } = await openPostgresStore({
    database: { ...pair.primary(), port: proxy.port },
    password: async () => undefined,
    limitMs: 40_000,
    node: { node: "one", label: "test" },
    onAlarm: (message) => alarms.push(message),
  });
  onTestFinished(() => store.admin.close());
  return { pair, proxy, store, alarms };
}
