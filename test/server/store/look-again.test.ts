import { describe, expect, test } from "vitest";
import { createIdentifiers } from "../../../server/identifiers.ts";
import { toCommit, toWritten } from "../../../server/kernel/record.ts";
import { findCall, findCalls } from "../../../server/store/calls/find-calls.ts";
import { toSegments } from "../../../server/store/calls/segment.ts";
import type { Store } from "../../../server/store/store.ts";
import { lookAgain } from "../../../server/store/look-again.ts";
import { openTestStore } from "../../helpers/store.ts";
import { toCallRecord } from "../kernel/audit/call-record.ts";

describe("a store that other nodes use", () => {
  test("is looked at again for the record of a call that was answered a moment ago, and for nothing else", async () => {
    const store = await openTestStore();
    let looks = 0;
    const counted = {
      ...store,
      getMany: async (keys: Parameters<typeof store.getMany>[0]) => (looks++, store.getMany(keys)),
    };
    const again = lookAgain(counted, Date.now);
    const id = createIdentifiers(Date.now)();
    const key = ["call", "acme", "c", id];
    const found = again.get(key);
    await store.commit({ set: [{ key, value: 1 }] });
    expect(await found).toMatchObject({ value: 1 });
    expect(await again.get(["tuned", "acme", createIdentifiers(Date.now)()])).toBeUndefined();
    looks = 0;
    const old = createIdentifiers(() => Date.now() - 60_000)();
    for (const absent of [
      ["call", "acme", "c", old],
      ["session", "acme", "c", id],
      ["call", "acme", "c", "x"],
    ]) {
      expect(await again.get(absent)).toBeUndefined();
    }
    expect(looks).toBe(3);
  });

  test("finds the record of a call that comes among others, and does not wait for one that is there", async () => {
    const store = await openTestStore();
    const again = lookAgain(store, Date.now);
    const createId = createIdentifiers(Date.now);
    const records = [0, 1].map(() => toCallRecord("acme", { id: createId() }));
    const names = records.map(({ tenant, commit, id }) => ({ tenant, commit, id }));
    const found = Promise.all(names.map((name) => findCall(again, name)));
    const all = records.map(toWritten);
    await store.commit(toCommit(all, { segments: toSegments(all) }));
    expect(await found).toEqual(records);
    let looks = 0;
    const getMany: Store["getMany"] = async (keys) => (looks++, store.getMany(keys));
    expect(await findCalls(lookAgain({ ...store, getMany }, Date.now), "acme", names)).toEqual(records);
    expect(looks).toBe(1);
  });
});
