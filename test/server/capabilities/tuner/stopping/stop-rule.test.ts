import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ArmSummary, evaluateStopRule } from "../../../../../server/capabilities/tuner/stopping/stop-rule.ts";
import { readOracle } from "../../../../helpers/tuner-oracle.ts";

interface Case {
  readonly counts: readonly number[];
  readonly means: readonly number[];
  readonly variances: readonly number[];
  readonly epsilon: number;
  readonly delta: number;
  readonly leader: number;
  readonly glr: readonly (number | null)[];
  readonly threshold: number;
  readonly stop: boolean;
}

const { stopping } = readOracle("stopping") as { readonly stopping: readonly Case[] };
const rule = { delta: 0.05, epsilon: 0, minSamplesPerArm: 10, maxSamplesPerArm: 10_000 };
const summary = (id: string, count: number, mean: number, variance = 0.25): ArmSummary => ({
  id,
  count,
  mean,
  variance,
});

describe("the stop rule", () => {
  test.each(stopping)("has the reference's ratios and threshold, counts $counts, epsilon $epsilon", (expected) => {
    const arms = expected.counts.map((count, arm) =>
      summary(`arm ${arm}`, count, expected.means[arm] ?? 0, expected.variances[arm]),
    );
    const verdict = evaluateStopRule({ ...rule, epsilon: expected.epsilon, delta: expected.delta }, arms);
    expect(verdict.leader).toBe(`arm ${expected.leader}`);
    expect(verdict.threshold).toBeCloseTo(expected.threshold, 12);
    for (const [arm, ratio] of expected.glr.entries()) {
      if (ratio === null) expect(verdict.ratios[arm]).toBeNull();
      else expect(verdict.ratios[arm]).toBeCloseTo(ratio, 10);
    }
    expect(verdict.stop).toBe(expected.stop);
    if (expected.stop) expect(verdict).toMatchObject({ reason: "winner", keep: verdict.leader });
  });

  test("waits until every arm has its least number of samples", () => {
    const verdict = evaluateStopRule(rule, [summary("a", 5000, 0.9), summary("b", 9, 0.1)]);
    expect(verdict).toMatchObject({ stop: false, reason: "too_few_samples" });
    expect(evaluateStopRule(rule, [summary("a", 0, Number.NaN)])).toMatchObject({ stop: false, threshold: null });
  });

  test("ends without a winner when every arm has its most, and keeps the baseline", () => {
    const arms = [summary("a", 10_000, 0.5), summary("b", 10_000, 0.501)];
    expect(evaluateStopRule(rule, arms)).toMatchObject({ stop: true, reason: "max_samples", keep: "b" });
    expect(evaluateStopRule({ ...rule, baseline: "a" }, arms)).toMatchObject({ reason: "max_samples", keep: "a" });
    expect(evaluateStopRule(rule, [summary("a", 9999, 0.5), summary("b", 10_000, 0.501)]).reason).toBe("undecided");
  });

  test("does not take a difference in rounding of constant rewards for a division by nothing", () => {
    const arms = [summary("a", 100, 0.3, 0), summary("b", 100, 0.3, 0)];
    expect(evaluateStopRule(rule, arms).ratios).toEqual([null, 0]);
  });

  test("says the same in any unit of the rewards", () => {
    const arm = fc.record({
      count: fc.integer({ min: 10, max: 999 }),
      // Not of the smallest numbers there are: a unit half as large rounds those to nothing.
      mean: fc.integer({ min: 0, max: 2 ** 30 }).map((parts) => parts / 2 ** 30),
    });
    fc.assert(
      fc.property(fc.array(arm, { minLength: 2, maxLength: 4 }), fc.integer({ min: -8, max: 8 }), (arms, exponent) => {
        const unit = 2 ** exponent;
        const evaluate = (by: number) =>
          evaluateStopRule(
            { ...rule, epsilon: 0.01 * by },
            arms.map(({ count, mean }, at) => summary(`arm ${at}`, count, mean * by, 0.25 * by * by)),
          );
        const [one, other] = [evaluate(1), evaluate(unit)];
        expect(other.leader).toBe(one.leader);
        for (const [at, ratio] of one.ratios.entries()) {
          if (ratio !== null) expect(other.ratios[at]).toBeCloseTo(ratio, 9);
        }
      }),
    );
  });

  test.each([
    [{ delta: 1 }, "`delta` is `1`"],
    [{ epsilon: -1 }, "`epsilon` is `-1`"],
    [{ baseline: "x" }, "The baseline `x` is none of the arms."],
  ])("refuses %o", (change, message) => {
    expect(() => evaluateStopRule({ ...rule, ...change }, [summary("a", 1, 0)])).toThrow(message);
  });

  test("refuses arms that are not summaries of anything", () => {
    expect(() => evaluateStopRule(rule, [])).toThrow("at least one arm");
    expect(() => evaluateStopRule(rule, [summary("a", 1, Number.NaN)])).toThrow("Arm `a` has count `1`, mean `NaN`");
    expect(() => evaluateStopRule(rule, [summary("a", 1, 0, -1)])).toThrow("variance `-1`");
  });
});
