import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ConfidenceSequence,
  createConfidenceSequence,
  extendConfidenceSequence,
} from "../../../../../server/capabilities/tuner/stopping/confidence-sequence.ts";
import { uniformAt } from "../../../../../server/capabilities/tuner/uniform.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe("a confidence sequence", () => {
  test("never widens", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (values) => {
        values.reduce((before, value) => {
          const after = extendConfidenceSequence(before, value);
          expect(after.low).toBeGreaterThanOrEqual(before.low);
          expect(after.high).toBeLessThanOrEqual(before.high);
          return after;
        }, createConfidenceSequence(0.05));
      }),
    );
  });

  test("is mirrored when its values are", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (values) => {
        const see = (all: readonly number[]) => all.reduce(extendConfidenceSequence, createConfidenceSequence(0.05));
        const mirrored = see(values.map((value) => 1 - value));
        expect(mirrored.low).toBeCloseTo(1 - see(values).high, 9);
      }),
    );
  });

  test("goes on alike from a state that was written as JSON and read again", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), unit, (values, next) => {
        const state = values.reduce(extendConfidenceSequence, createConfidenceSequence(0.05));
        const copy = JSON.parse(JSON.stringify(state)) as ConfidenceSequence;
        expect(JSON.stringify(extendConfidenceSequence(copy, next))).toBe(
          JSON.stringify(extendConfidenceSequence(state, next)),
        );
      }),
    );
  });

  test.each([0.02, 0.3, 0.5])("of a coin of %d loses it in fewer than alpha of the runs, at any time", (mean) => {
    const runs = 200;
    let lost = 0;
    let width = 0;
    for (let run = 0; run < runs; run += 1) {
      let sequence = createConfidenceSequence(0.05);
      for (let at = 0; at < 300; at += 1) {
        sequence = extendConfidenceSequence(sequence, uniformAt(`coin ${run}`, at) < mean ? 1 : 0);
      }
      if (mean < sequence.low || mean > sequence.high) lost += 1;
      width += (sequence.high - sequence.low) / runs;
    }
    expect(lost / runs).toBeLessThan(0.05);
    expect(width).toBeLessThan(0.3);
  });

  test("refuses what lies outside [0, 1] and an alpha of 1", () => {
    expect(() => extendConfidenceSequence(createConfidenceSequence(0.05), 1.1)).toThrow("The value is `1.1`");
    expect(() => createConfidenceSequence(1)).toThrow("`alpha` is `1`");
  });
});
