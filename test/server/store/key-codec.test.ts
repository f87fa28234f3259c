import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeKey, encodeKey, endOfPrefix, FIRST_KEY_BYTE, splitKey } from "../../../server/store/key-codec.ts";

const element = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\0", "\x01", "\x01\x02", "\0\x01\0"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
);
const key = fc.array(element, { minLength: 1, maxLength: 5 });

describe("encodeKey", () => {
  test("makes bytes that decode to the key, split at its last element, and lie under each of its prefixes", () => {
    fc.assert(
      fc.property(key, (one) => {
        const bytes = encodeKey(one);
        expect(decodeKey(bytes)).toEqual(one);
        expect(bytes[0]).toBeGreaterThanOrEqual(FIRST_KEY_BYTE);
        const { parent, last } = splitKey(bytes);
        expect([decodeKey(parent), decodeKey(last)]).toEqual([one.slice(0, -1), one.slice(-1)]);
        for (let length = 0; length <= one.length; length++) {
          const prefix = encodeKey(one.slice(0, length));
          expect(bytes.subarray(0, prefix.length)).toEqual(prefix);
          expect(Buffer.compare(bytes, endOfPrefix(prefix))).toBe(-1);
        }
      }),
    );
  });

  test("makes bytes that start with another key's bytes only if the key starts with its elements", () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const isPrefix = a.every((part, index) => part === b[index]);
        const [left, right] = [encodeKey(a), encodeKey(b)];
        expect(right.subarray(0, left.length).equals(left)).toBe(isPrefix);
      }),
    );
  });

  test("orders numbers as numbers do", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(Buffer.compare(encodeKey([a]), encodeKey([b]))).toBe(Math.sign(Number(a > b) - Number(a < b)));
      }),
    );
  });

  test("writes the same bytes for ever", () => {
    // Stored keys have these bytes: another encoding would not find them.
    expect(encodeKey(["a\0b\x01", "é", 1, -1, 0]).toString("hex")).toBe(
      ["2061010162010200", "20c3a900", "10bff0000000000000", "10400fffffffffffff", "108000000000000000"].join(""),
    );
  });

  test.each([["ff"], ["20"], ["2061"], ["10bff0"], ["0100"], ["206100ff"]])("refuses to decode %s", (hex) => {
    expect(() => decodeKey(Buffer.from(hex, "hex"))).toThrow("is damaged");
    expect(() => splitKey(Buffer.from(hex, "hex"))).toThrow("is damaged");
  });
});
