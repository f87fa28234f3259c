import * as fc from "fast-check";
import { expect, test } from "vitest";
import { scaleReward } from "../../../../../server/capabilities/tuner/bandits/scale-reward.ts";

const scale = { range: [-1, 1], optimize: "max", outOfRange: "reject" } as const;

test("the range becomes [0, 1], with the best at 1", () => {
  expect([-1, 0, 1].map((value) => scaleReward(scale, value))).toEqual([0, 0.5, 1]);
  expect([-1, 0, 1].map((value) => scaleReward({ ...scale, optimize: "min" }, value))).toEqual([1, 0.5, 0]);
});

test("a value outside is refused or clipped, as declared; one that is no number is always refused", () => {
  expect(() => scaleReward(scale, 1.1)).toThrow("The reward is `1.1`; it must lie between `-1` and `1`.");
  expect(scaleReward({ ...scale, outOfRange: "clip" }, 1.1)).toBe(1);
  expect(() => scaleReward({ ...scale, outOfRange: "clip" }, Number.NaN)).toThrow("The reward is `NaN`");
  expect(() => scaleReward({ ...scale, range: [1, 1] }, 1)).toThrow("must go upwards");
});

test("a change of the reward's unit changes nothing", () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -20, max: 20 }), (value, exponent) => {
      const unit = 2 ** exponent;
      expect(scaleReward({ ...scale, range: [-unit, unit] }, value * unit)).toBe(scaleReward(scale, value));
    }),
  );
});
