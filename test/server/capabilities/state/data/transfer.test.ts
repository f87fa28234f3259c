import { describe, expect, test } from "vitest";
import { createPlaceSource, type DataSource } from "../../../../../server/capabilities/state/data/source.ts";
import { planTransfer, transfer, type Written } from "../../../../../server/capabilities/state/data/transfer.ts";
import type { StatePlace } from "../../../../../server/capabilities/state/data/place.ts";
import { readLogEntry } from "../../../../../server/store/log-entry.ts";
import type { Json, Store } from "../../../../../server/store/store.ts";
import { openTestStore } from "../../../../helpers/store.ts";

const OWN: StatePlace = { tenant: "acme", server: "desk", scope: "0".repeat(40) };
const SHARED: StatePlace = { tenant: "acme", server: "desk", scope: "desk" };
/** More than one page. */
const MANY = 1_200;

const note = (entry: Json) => ({
  set: [{ key: ["event", "acme", "1"], value: 1 }],
  append: [{ log: "audit/acme", entry }],
});

async function notesOf(store: Store): Promise<readonly unknown[]> {
  const entries = await Array.fromAsync(store.readLog("audit/acme", { from: 0 }));
  return entries.map(({ bytes }) => readLogEntry(bytes));
}

function keyOf({ tenant, server, scope }: StatePlace, ...key: readonly (string | number)[]) {
  return ["state", tenant, server, scope, ...key];
}

async function fill(store: Store, place: StatePlace, count: number, value: Json = "v"): Promise<void> {
  await store.commit({
    set: Array.from({ length: count }, (_, index) => ({ key: keyOf(place, "k", index), value })),
    append: [1, 2].map((at) => ({
      log: `lineage/acme/desk/${place.scope}`,
      entry: { at, entry: at, schemaVersion: 1 },
    })),
  });
}

async function countKeys(store: Store, place: StatePlace): Promise<number> {
  return (await Array.fromAsync(store.scan({ prefix: keyOf(place) }))).length;
}

const given = (store: Store, source: DataSource = createPlaceSource(store, OWN)) => ({
  store,
  source,
  target: SHARED,
  overwrite: false,
  notes: {
    begun: note("begun"),
    toEnded: (written: Written, outcome: "done" | "failed") => note({ outcome, ...written }),
  },
  onKeys: () => undefined,
});

describe("a transfer of data", () => {
  test("moves more keys than one commit holds, and notes its begin and what it wrote", async () => {
    const store = await openTestStore();
    await fill(store, OWN, MANY);
    expect(await planTransfer(given(store))).toEqual({ added: MANY, replaced: 0, same: 0, appended: 2 });
    await transfer({ ...given(store), from: OWN, removes: true });
    expect([await countKeys(store, OWN), await countKeys(store, SHARED)]).toEqual([0, MANY]);
    expect(await notesOf(store)).toEqual(["begun", { outcome: "done", added: MANY, replaced: 0, appended: 2 }]);
    const [from, to] = await Promise.all([OWN, SHARED].map(({ scope }) => store.head(`lineage/acme/desk/${scope}`)));
    expect(to?.hash).toBe(from?.hash);
  });

  test("goes on where it was cut short when it is done again", async () => {
    const store = await openTestStore();
    await fill(store, OWN, MANY);
    const onKeys = () => {
      throw new Error("killed");
    };
    await expect(transfer({ ...given(store), from: OWN, removes: true, onKeys })).rejects.toThrow("killed");
    const moved = await countKeys(store, SHARED);
    expect([moved > 0 && moved < MANY, await countKeys(store, OWN)]).toEqual([true, MANY - moved]);
    const failed = { outcome: "failed", added: moved, replaced: 0, appended: 2 };
    expect(await notesOf(store)).toEqual(["begun", failed]);
    expect(await planTransfer(given(store))).toMatchObject({ added: MANY - moved, appended: 0 });
    await transfer({ ...given(store), from: OWN, removes: true });
    expect([await countKeys(store, OWN), await countKeys(store, SHARED)]).toEqual([0, MANY]);
  });

  test("never replaces what others wrote after the plan, and takes what they wrote into the source", async () => {
    const store = await openTestStore();
    await fill(store, OWN, 2, "old");
    const source = createPlaceSource(store, OWN);
    const late: DataSource = {
      ...source,
      async *entries() {
        const entries = await Array.fromAsync(source.entries());
        await store.commit({ set: [{ key: keyOf(OWN, "k", 0), value: "newer" }] });
        yield* entries;
      },
    };
    await transfer({ ...given(store, late), from: OWN, removes: true });
    expect((await store.get(keyOf(SHARED, "k", 0)))?.value).toBe("newer");
    await store.commit({ set: [{ key: keyOf(OWN, "k", 0), value: "third" }] });
    await expect(transfer({ ...given(store), from: OWN, removes: true })).rejects.toMatchObject({ name: "CONFLICT" });
    expect((await store.get(keyOf(SHARED, "k", 0)))?.value).toBe("newer");
    expect((await store.get(keyOf(OWN, "k", 0)))?.value).toBe("third");
  });

  test("is refused before anything is written where the lineage of the target is another", async () => {
    const store = await openTestStore();
    await fill(store, OWN, 1);
    await store.commit({ append: [{ log: "lineage/acme/desk/desk", entry: { at: 9, entry: 9, schemaVersion: 1 } }] });
    await expect(planTransfer({ ...given(store), overwrite: true })).rejects.toMatchObject({
      name: "CONFLICT",
      message: expect.stringContaining(
        "`desk/desk` has another entry 0; a chain can be gone on with, and not be replaced",
      ),
    });
  });
});
