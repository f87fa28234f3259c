import { describe, expect, test } from "vitest";
import { toRecordJson } from "../../../../server/kernel/record.ts";
import { scanCalls } from "../../../../server/store/calls/scan-calls.ts";
import { SEGMENT_RECORDS } from "../../../../server/store/calls/segment.ts";
import { callKey } from "../../../../server/store/keys.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { CALLS, COMMIT, countReads, TENANT, toRecords, write } from "./timed-records.ts";

describe("a list of calls", () => {
  test("has records of older releases, segments that overlap and single records, the newest first", async () => {
    const store = await openTestStore();
    const all = toRecords(...Array.from({ length: 300 }, (_, at) => at));
    const [old, ...flushes] = [0, 1, 2].map((part) => all.filter((_record, at) => at % 3 === part));
    const set = (old ?? []).map((record) => ({ key: callKey(TENANT, COMMIT, record.id), json: toRecordJson(record) }));
    await store.commit({ set });
    for (const flush of flushes) await write(store, flush);
    expect(await Array.fromAsync(scanCalls(store, CALLS))).toEqual(all.toReversed());
    const { id: before = "" } = all[100] ?? {};
    expect(await Array.fromAsync(scanCalls(store, CALLS, { before, limit: 7 }))).toEqual(
      all.slice(93, 100).toReversed(),
    );
  });

  test("reads one segment for the newest call, and few for a page", async () => {
    const store = await openTestStore();
    const records = toRecords(...Array.from({ length: 40 * SEGMENT_RECORDS }, (_, at) => at));
    await write(store, records);
    const { counted, read } = countReads(store);
    expect(await Array.fromAsync(scanCalls(counted, CALLS, { limit: 1 }))).toEqual([records.at(-1)]);
    expect(read()).toBe(1);
    const { id: before = "" } = records[1_000] ?? {};
    expect(await Array.fromAsync(scanCalls(counted, CALLS, { before, limit: 50 }))).toHaveLength(50);
    expect(read()).toBeLessThanOrEqual(8);
    for await (const _ of scanCalls(counted, CALLS)) break;
    expect(read()).toBeLessThanOrEqual(12);
  });
});
