import { describe, expect, test } from "vitest";
import { findCall, findCalls, findInSegments } from "../../../../server/store/calls/find-calls.ts";
import { SEGMENT_RECORDS, segmentsOf } from "../../../../server/store/calls/segment.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { CALLS, COMMIT, countReads, TENANT, toId, toRecords, write } from "./timed-records.ts";

const range = (length: number, step = 1) => Array.from({ length }, (_, at) => at * step);

describe("the record of a call", () => {
  test("is found in the first segment that is read, among many", async () => {
    const store = await openTestStore();
    const records = toRecords(...range(20 * SEGMENT_RECORDS));
    await write(store, records);
    const { counted, read } = countReads(store);
    expect(await findCall(counted, { ...CALLS, id: records[400]?.id ?? "" })).toEqual(records[400]);
    expect(read()).toBe(1);
  });

  test("is looked for in the segments of its time alone", async () => {
    const store = await openTestStore();
    await write(store, toRecords(...range(100 * SEGMENT_RECORDS, 0.5)));
    const { counted, read } = countReads(store);
    expect(await findInSegments(counted, { ...CALLS, id: toId(1_000, 99_999) })).toBeUndefined();
    expect(read()).toBeLessThan(12);
    expect(await findInSegments(counted, { ...CALLS, id: "x" })).toBeUndefined();
    expect(await findInSegments(counted, { ...CALLS, id: toId(-1_000) })).toBeUndefined();
    expect(await findInSegments(counted, { ...CALLS, tenant: "other", id: toId(1_000) })).toBeUndefined();
    expect(read()).toBeLessThan(14);
  });

  test("is found beside others with one read of each segment, however they are named", async () => {
    const store = await openTestStore();
    const near = toRecords(...range(10 * SEGMENT_RECORDS));
    await write(store, near);
    const far = toRecords(...range(4 * SEGMENT_RECORDS).map((at) => 1_000_000 + at));
    await write(store, far);
    const wanted = [...near, ...far].filter((_record, at) => at % 3 === 0).toReversed();
    const { counted, read } = countReads(store);
    expect(await findCalls(counted, TENANT, wanted)).toEqual(wanted);
    // All segments that there are, as each has some of them.
    expect(read()).toBe(14);
  });

  test("is named as damaged when its segment is something else", async () => {
    const store = await openTestStore();
    await store.commit({
      set: [{ key: [...segmentsOf(TENANT, COMMIT), toId(9), toId(0)], value: { not: "records" } }],
    });
    await expect(findCall(store, { ...CALLS, id: toId(5) })).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
    expect(await findCall(store, { ...CALLS, id: toId(10) })).toBeUndefined();
  });
});
