import { describe, expect, test } from "vitest";
import { createRandomPool } from "../../../server/app/random-pool.ts";

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
