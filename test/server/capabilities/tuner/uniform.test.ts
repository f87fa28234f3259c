import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { uniformAt } from "../../../../server/capabilities/tuner/uniform.ts";

test("a draw is the first 53 bits of SHA-256 over the key and the index in eight bytes", () => {
  for (const [key, index] of [["a", 0] as const, ["a", 1] as const, ["é\0", 2 ** 40] as const]) {
    const place = Buffer.alloc(8);
    place.writeBigUInt64BE(BigInt(index));
    const digest = createHash("sha256").update(key).update(place).digest();
    expect(uniformAt(key, index)).toBe(Number(digest.readBigUInt64BE() >> 11n) / 2 ** 53);
  }
  expect(uniformAt("a", 0)).toBe(0.31612791917384486);
});

test("draws are spread evenly, along a stream and across streams", () => {
  for (const draw of [(i: number) => uniformAt("stream", i), (i: number) => uniformAt(`stream ${i}`, 0)]) {
    const bins = Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i++) bins[Math.floor(draw(i) * 16)] = (bins[Math.floor(draw(i) * 16)] ?? 0) + 1;
    const chiSquare = bins.reduce((sum, count) => sum + ((count - 1000) * (count - 1000)) / 1000, 0);
    expect(chiSquare).toBeLessThan(37.7); // the 99.9 % point of chi-square with 15 degrees of freedom
  }
});

test("an index is a natural number", () => {
  expect(() => uniformAt("a", -1)).toThrow(RangeError);
  expect(() => uniformAt("a", 0.5)).toThrow(RangeError);
});
