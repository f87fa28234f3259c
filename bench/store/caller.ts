/**
 * The program of one process that has a store and calls it: `commit-calls.ts` starts it, sends its order, and says when it begins
 * and ends. A call reads its state, and commits: state under a check, its record, and an entry in the audit log of its tenant.
 */
import { once } from "node:events";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import { openPostgresStore } from "../../server/store/postgres/postgres.ts";
import type { Store } from "../../server/store/store.ts";

export interface Order {
  /** Folder of LMDB, or the database. */
  readonly place: string | StoreDatabase;
  /** Absent: the node has the store for itself. */
  readonly node?: string;
  /** Numbers of its callers, of which no other process has any. */
  readonly callers: readonly number[];
  readonly seconds: number;
}

export interface Done {
  readonly commits: number;
  readonly seconds: number;
  /** Commits before the window. */
  readonly earlier: number;
}

const TENANTS = 4;
const LIMIT_MS = 30_000;
const WARM_UP_CALLS = 20;

const [order] = (await once(process, "message")) as [Order];
const store = await openStore(order);
const earlier = await callAll(0, () => false);
process.send?.("ready");
await once(process, "message");
const began = performance.now();
const commits = await callAll(WARM_UP_CALLS, () => performance.now() - began < order.seconds * 1_000);
process.send?.({ commits, seconds: (performance.now() - began) / 1_000, earlier } satisfies Done);
await once(process, "message");
await store.admin.close();
process.disconnect();

async function openStore({ place, node }: Order): Promise<Store> {
  if (typeof place === "string") return openLmdbStore({ directory: place });
  const { store: opened } = await openPostgresStore({
    database: place,
    password: async () => undefined,
    limitMs: LIMIT_MS,
    node: { node: node ?? "alone", label: "bench" },
    ...(node === undefined ? {} : { shared: { release: "bench" } }),
    onAlarm(message) {
      throw new Error(message);
    },
  });
  return opened;
}

/** Has each caller call some times, and further as long as `goesOn`. Returns how many calls that were. */
async function callAll(first: number, goesOn: () => boolean): Promise<number> {
  let count = 0;
  await Promise.all(
    order.callers.map(async (caller) => {
      for (let call = first; call < WARM_UP_CALLS || goesOn(); call += 1) {
        await commitCall(caller, call);
        count += 1;
      }
    }),
  );
  return count;
}

async function commitCall(caller: number, call: number): Promise<void> {
  const tenant = `t${caller % TENANTS}`;
  const key = ["state", tenant, `c${caller}`];
  const old = await store.get(key);
  const { ok } = await store.commit({
    check: [{ key, rev: old?.rev ?? 0 }],
    set: [
      { key, value: { call, note: "x".repeat(80) } },
      { key: ["record", tenant, `c${caller}`, call], value: { call, body: "x".repeat(400) } },
    ],
    append: [{ log: `audit/${tenant}`, entry: { call, digest: "0".repeat(64) } }],
  });
  if (!ok) throw new Error("a commit that nothing disturbs failed");
}
