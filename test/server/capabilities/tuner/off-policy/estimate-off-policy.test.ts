import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  estimateOffPolicy,
  type LoggedChoice,
} from "../../../../../server/capabilities/tuner/off-policy/estimate-off-policy.ts";
import { readOracle } from "../../../../helpers/tuner-oracle.ts";

interface Oracle {
  readonly behaviour: readonly number[];
  readonly evaluation: readonly number[];
  readonly q_hat: readonly number[];
  readonly actions: readonly number[];
  readonly rewards: readonly number[];
  readonly ips: number;
  readonly snips: number;
  readonly dm: number;
  readonly dr: number;
  readonly clipped_ips: { readonly clip: number; readonly value: number };
  readonly ess: number;
}

const oracle = readOracle("off-policy") as Oracle;
const choices = oracle.actions.map((action, at): LoggedChoice => ({
  reward: oracle.rewards[at] ?? Number.NaN,
  propensity: oracle.behaviour[action] ?? Number.NaN,
  target: oracle.evaluation[action] ?? Number.NaN,
  predicted: oracle.q_hat[action] ?? Number.NaN,
  predictedOfTarget: oracle.q_hat.reduce((sum, value, arm) => sum + value * (oracle.evaluation[arm] ?? 0), 0),
}));
const options = { clip: oracle.clipped_ips.clip, level: 0.95 };
const one: LoggedChoice = { reward: 1, propensity: 0.5, target: 0.5, predicted: 0.5, predictedOfTarget: 0.5 };

describe("estimateOffPolicy", () => {
  test("has the reference's estimates", () => {
    const found = estimateOffPolicy(choices, options);
    expect(found.ips.value).toBeCloseTo(oracle.ips, 12);
    expect(found.snips.value).toBeCloseTo(oracle.snips, 12);
    expect(found.directMethod.value).toBeCloseTo(oracle.dm, 12);
    expect(found.doublyRobust.value).toBeCloseTo(oracle.dr, 12);
    expect(found.clipped.value).toBeCloseTo(oracle.clipped_ips.value, 12);
    expect(found.effectiveSampleSize).toBeCloseTo(oracle.ess, 12);
  });

  test("judges the strategy that wrote the log by its plain mean and standard error", () => {
    const own = [0.2, 0.4, 0.9].map((reward) => ({ ...one, reward }));
    const { ips, snips, effectiveSampleSize } = estimateOffPolicy(own, options);
    expect(ips.value).toBeCloseTo(0.5, 12);
    expect(snips.value).toBeCloseTo(0.5, 12);
    expect(ips.standardError).toBeCloseTo(Math.sqrt(0.26 / 2 / 3), 12);
    expect((ips.high ?? 0) - (ips.low ?? 0)).toBeCloseTo(2 * 1.959963984540054 * Math.sqrt(0.26 / 2 / 3), 12);
    expect(effectiveSampleSize).toBeCloseTo(3, 12);
  });

  test("seen many times, the same choices leave the values and narrow every interval", () => {
    const once = estimateOffPolicy(choices, options);
    const often = estimateOffPolicy([...choices, ...choices, ...choices], options);
    for (const name of ["ips", "snips", "clipped", "doublyRobust"] as const) {
      expect(often[name].value).toBeCloseTo(once[name].value, 12);
      expect(often[name].standardError).toBeLessThan(once[name].standardError ?? 0);
    }
    expect(often.effectiveSampleSize).toBeCloseTo(3 * once.effectiveSampleSize, 9);
  });

  test("moves self-normalised and doubly robust estimates along with the rewards' zero", () => {
    fc.assert(
      fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (shift) => {
        const moved = choices.map((choice) => ({
          ...choice,
          reward: choice.reward + shift,
          predicted: choice.predicted + shift,
          predictedOfTarget: choice.predictedOfTarget + shift,
        }));
        const found = estimateOffPolicy(moved, options);
        expect(found.snips.value).toBeCloseTo(oracle.snips + shift, 9);
        expect(found.doublyRobust.value).toBeCloseTo(oracle.dr + shift, 9);
      }),
    );
  });

  test("knows no spread of a single choice", () => {
    expect(estimateOffPolicy([one], options).ips).toEqual({ value: 1, standardError: null, low: null, high: null });
  });

  test.each([
    ["an empty log", [], options, "at least one logged choice"],
    ["a propensity of 0", [one, { ...one, propensity: 0 }], options, "Choice 1 has propensity `0`"],
    ["a target above 1", [{ ...one, target: 2 }], options, "target probability `2`"],
    ["a reward that is no number", [{ ...one, reward: Number.NaN }], options, "must be finite numbers"],
    ["a target that makes none of the choices", [{ ...one, target: 0 }], options, "the log says nothing of it"],
    ["a clip of 0", [one], { ...options, clip: 0 }, "`clip` is `0`"],
    ["a level of 1", [one], { ...options, level: 1 }, "`level` is `1`"],
  ])("refuses %s", (_what, log, how, message) => {
    expect(() => estimateOffPolicy(log, how)).toThrow(message);
  });
});
