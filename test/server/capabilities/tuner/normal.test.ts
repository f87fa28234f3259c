import { describe, expect, test } from "vitest";
import { normalAt, normalQuantile } from "../../../../server/capabilities/tuner/normal.ts";

describe("normalQuantile", () => {
  test.each([
    [1e-300, -37.0470962993612],
    [1e-20, -9.262340089798405],
    [1e-10, -6.361340902404056],
    [0.01, -2.3263478740408408],
    [0.05, -1.6448536269514726],
    [0.3, -0.5244005127080407],
    [0.5, 0],
    [0.975, 1.9599639845400536],
    [0.999999, 4.753424308817089],
  ])("of %d is %d, as Python's statistics.NormalDist has it", (p, z) => {
    expect(Math.abs(normalQuantile(p) - z)).toBeLessThanOrEqual(4e-16 * Math.abs(z));
  });

  test("of 0 and 1 is infinite", () => {
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
  });
});

test("draws have the moments of a standard normal", () => {
  const draws = Array.from({ length: 20_000 }, (_, index) => normalAt("stream", index));
  const moment = (power: number) => draws.reduce((sum, z) => sum + z ** power, 0) / draws.length;
  expect(Math.abs(moment(1))).toBeLessThan(3 * Math.sqrt(1 / 20_000));
  expect(Math.abs(moment(2) - 1)).toBeLessThan(3 * Math.sqrt(2 / 20_000));
  expect(Math.abs(moment(3))).toBeLessThan(3 * Math.sqrt(15 / 20_000));
  expect(Math.abs(moment(4) - 3)).toBeLessThan(3 * Math.sqrt(96 / 20_000));
});
