import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PARTS, toEnergy, toParts, TOTAL_ENERGY } from "../../../../tools/_lib/beliefs/energy.ts";

describe("energy", () => {
  test.each([
    [0, 0n],
    [0.1, 100_000n],
    [1.1, 1_100_000n],
    [100, 100_000_000n],
    [1e-6, 1n],
    [4e-7, 0n],
    [1e12, 10n ** 18n],
    [999_999_999_999.5, 999_999_999_999_500_000n],
  ])("%d is %d millionths", (energy, parts) => expect(toParts(energy)).toBe(parts));

  test("comes back as the number it was, when that has six decimals", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 999_999 }), (whole, rest) => {
        const energy = Number(`${whole}.${String(rest).padStart(6, "0")}`);
        expect(toParts(energy)).toBe(BigInt(whole) * PARTS + BigInt(rest));
        expect(toEnergy(toParts(energy))).toBe(energy);
      }),
    );
  });

  test("is declared in all", () => expect(toEnergy(TOTAL_ENERGY)).toBe(1e15));
});
