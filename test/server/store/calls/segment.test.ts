import { describe, expect, test } from "vitest";
import { toWritten } from "../../../../server/kernel/record.ts";
import {
  findBound,
  readSegment,
  SEGMENT_CHARACTERS,
  SEGMENT_RECORDS,
  SEGMENT_SPAN_MS,
  segmentsOf,
  toSegmentKey,
  toSegments,
  toSegmentText,
} from "../../../../server/store/calls/segment.ts";
import type { Json } from "../../../../server/store/store.ts";
import { toCallRecord } from "../../kernel/audit/call-record.ts";
import { COMMIT, TENANT, toId, toRecords } from "./timed-records.ts";

const idsOf = (records: readonly ReturnType<typeof toCallRecord>[]) =>
  toSegments(records.map(toWritten)).map((segment) => segment.map(({ record }) => record.id));
const sizesOf = (records: readonly ReturnType<typeof toCallRecord>[]) => idsOf(records).map(({ length }) => length);

describe("segments", () => {
  test("have the records of one tenant and version, in the order of their ids", () => {
    const [first, second, ...others] = toRecords(5, 3, 4, 2, 1, 0);
    const records = [
      ...[first, second].map((record) => ({ ...record, tenant: "other" }) as typeof record),
      ...others.map((record, at) => (at < 2 ? { ...record, commit: "2".repeat(40) } : record)),
    ].filter((record) => record !== undefined);
    expect(idsOf(records)).toEqual([
      [toId(3, 1), toId(5, 0)],
      [toId(2, 3), toId(4, 2)],
      [toId(0, 5), toId(1, 4)],
    ]);
  });

  test("leave out records that are alone, and those whose ids have no time", () => {
    expect(idsOf(toRecords(0, SEGMENT_SPAN_MS + 1))).toEqual([]);
    expect(idsOf(["1", "2", "00000000-0000-4000-8000-000000000000"].map((id) => toCallRecord(TENANT, { id })))).toEqual(
      [],
    );
    const last = ["ffffffff-ffff-7000-8000-000000000000", "ffffffff-ffff-7000-8000-000000000001"];
    expect(idsOf(last.map((id) => toCallRecord(TENANT, { id })))).toEqual([last]);
  });

  test("have limits to their time, records and characters", () => {
    expect(sizesOf(toRecords(0, SEGMENT_SPAN_MS, SEGMENT_SPAN_MS + 1, 2 * SEGMENT_SPAN_MS + 1))).toEqual([2, 2]);
    const many = toRecords(...Array.from({ length: 2 * SEGMENT_RECORDS + 2 }, () => 0));
    expect(sizesOf(many)).toEqual([SEGMENT_RECORDS, SEGMENT_RECORDS, 2]);
    const message = "x".repeat(SEGMENT_CHARACTERS / 3);
    expect(sizesOf(toRecords(0, 0, 0, 0, 0).map((record) => ({ ...record, message })))).toEqual([2, 2]);
  });

  test("end before the bound of each id that they may have", () => {
    expect(findBound(toId(7)) ?? "").toSatisfy((bound: string) => bound > toId(7 + SEGMENT_SPAN_MS, 99));
    expect(findBound(toId(7)) ?? "").toSatisfy((bound: string) => bound < toId(8 + SEGMENT_SPAN_MS));
    expect(findBound(toId(7).slice(0, 13))).toBe(findBound(toId(7)));
    expect(findBound("x")).toBeUndefined();
  });

  test("are read as they were written", () => {
    const [text = []] = toSegments(toRecords(2, 1, 0).map(toWritten));
    const key = toSegmentKey(text);
    expect(key).toEqual([...segmentsOf(TENANT, COMMIT), toId(2, 0), toId(0, 2)]);
    const value: Json = JSON.parse(toSegmentText(text));
    expect([...readSegment({ key, value, rev: 1 })]).toEqual(text.map(({ record }) => [record.id, record]));
  });

  const [one, other] = [{ id: toId(0) }, { id: toId(1) }];
  test.each<[what: string, value: Json]>([
    ["another form", { records: [one] }],
    ["something else than records", [one, 7]],
    ["a record without an id", [{}]],
    ["another order", [other, one]],
    ["a record twice", [one, one]],
    ["records of another time", [one, { id: toId(2) }]],
  ])("are refused with %s", (_what, value) => {
    const entry = { key: [...segmentsOf(TENANT, COMMIT), toId(1), toId(0)], value, rev: 1 };
    expect(() => readSegment(entry)).toThrow("cannot be understood");
  });
});
