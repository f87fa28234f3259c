import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeRecord, encodeRecord, readValue } from "../../../server/store/stored-record.ts";

const record = { rev: 2 ** 53 - 1, expiresAt: 1_750_000_000_000.5, leasedUntil: 0, body: Buffer.from('{"a":[1,"é"]}') };
const key = Buffer.from("key");

describe("a stored record", () => {
  test("decodes to what was encoded", () => {
    const decoded = decodeRecord(key, encodeRecord(key, record));
    expect(decoded).toEqual(record);
    expect(decoded && readValue(decoded)).toEqual({ a: [1, "é"] });
  });

  test("is damaged when any of its bits is another", () => {
    const bytes = encodeRecord(key, record);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decodeRecord(key, flipped)).toBeUndefined();
    }
  });

  test("is damaged when it lies under another key, was cut, or is anything else", () => {
    const bytes = encodeRecord(key, record);
    expect(decodeRecord(Buffer.from("kez"), bytes)).toBeUndefined();
    for (let length = 0; length < bytes.length; length++) {
      expect(decodeRecord(key, bytes.subarray(0, length))).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (other) => {
        expect(decodeRecord(key, Buffer.from(other))).toBeUndefined();
      }),
    );
  });
});
