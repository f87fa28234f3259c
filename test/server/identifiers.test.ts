import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIdentifiers, createRandomPool, isUuid } from "../../server/identifiers.ts";

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

/** Bytes that count up, so that each can be told from all others for a while. */
function counting() {
  let next = 0;
  const asked: number[] = [];
  const randomBytes = (size: number) => {
    asked.push(size);
    return Uint8Array.from({ length: size }, () => next++ % 251);
  };
  return { randomBytes, asked };
}

describe("a pool of random bytes", () => {
  test("gives out each byte once, and asks for many at a time", () => {
    const { randomBytes, asked } = counting();
    const pool = createRandomPool(randomBytes);
    const given = Array.from({ length: 100 }, () => [...pool(16)]).flat();
    expect(given).toEqual(Array.from({ length: 1600 }, (_, at) => at % 251));
    expect(asked).toEqual([8192]);
  });

  test("does not change what it gave out when more is taken", () => {
    const pool = createRandomPool(counting().randomBytes);
    const first = pool(4);
    for (let count = 0; count < 5000; count += 1) pool(16);
    expect([...first]).toEqual([0, 1, 2, 3]);
  });

  test("passes a large wish on", () => {
    const { randomBytes, asked } = counting();
    expect(createRandomPool(randomBytes)(10_000).length).toBe(10_000);
    expect(asked).toEqual([10_000]);
  });
});
