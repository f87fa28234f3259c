import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../../server/json/canonical-json.ts";
import { toRecordJson } from "../../../../server/kernel/record.ts";
import { findCalls } from "../../../../server/store/calls/find-calls.ts";
import { prepareRemoval } from "../../../../server/store/calls/remove-calls.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { TENANT, toRecords, write } from "./timed-records.ts";

describe("taking records of calls away", () => {
  test("leaves those beside them, byte for byte, and nothing once all are gone", async () => {
    const store = await openTestStore();
    const line = { at: 1, level: "info", message: "x", data: { 10: "ten", 9: "nine", "\ud800": 1e21 } } as const;
    const records = toRecords(0, 1, 2).map((record) => ({ ...record, logs: [line] }));
    await write(store, records);
    const [first, ...others] = records;
    await store.commit(await prepareRemoval(store, TENANT, first ? [first] : []));
    const found = await findCalls(store, TENANT, records);
    expect(found.map((record) => record && canonicalJson(record))).toEqual([undefined, ...others.map(toRecordJson)]);
    expect(await Array.fromAsync(store.scan({ prefix: ["call"] }))).toHaveLength(1);
    await store.commit(await prepareRemoval(store, TENANT, others));
    expect(await Array.fromAsync(store.scan({ prefix: ["call"] }))).toEqual([]);
  });

  test("is a conflict when another has been taken away from beside it, and brings nothing back", async () => {
    const store = await openTestStore();
    const records = toRecords(0, 1, 2);
    await write(store, records);
    const [one, other] = await Promise.all(
      records.slice(0, 2).map((record) => prepareRemoval(store, TENANT, [record])),
    );
    expect((await store.commit(one ?? {})).ok).toBe(true);
    expect((await store.commit(other ?? {})).ok).toBe(false);
    expect(await findCalls(store, TENANT, records)).toEqual([undefined, ...records.slice(1)]);
  });
});
