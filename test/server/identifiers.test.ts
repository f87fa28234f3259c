import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIdentifiers, isUuid } from "../../server/identifiers.ts";

describe("createIdentifiers", () => {
  test("makes UUIDs of version 7 that begin with the time", () => {
    const createId = createIdentifiers(
      () => 0x0123456789ab,
      () => new Uint8Array(8).fill(0xff),
    );
    expect(createId()).toBe("01234567-89ab-7000-bfff-ffffffffffff");
    expect(createId()).toBe("01234567-89ab-7001-bfff-ffffffffffff");
  });

  test("always grows, whatever the clock does", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2, maxLength: 50 }), (times) => {
        const clock = [...times];
        const createId = createIdentifiers(() => clock.shift() ?? 0);
        const ids = times.map(() => createId());
        expect([...ids].sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every(isUuid)).toBe(true);
      }),
    );
  });

  test("goes on counting after 4,096 in one millisecond", () => {
    const createId = createIdentifiers(() => 1000);
    const ids = Array.from({ length: 10_000 }, createId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(10_000);
  });
});
