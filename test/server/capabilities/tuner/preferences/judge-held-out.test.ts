import { expect, test } from "vitest";
import { toPredictionLoss } from "../../../../../server/capabilities/tuner/preferences/judge-held-out.ts";

test("a coin scores 1/4 and ln 2; sure and right scores nothing; sure and wrong as much as it was sure", () => {
  expect(toPredictionLoss([{ margin: 0, preferred: true }])).toEqual({ brier: 0.25, logLoss: Math.LN2 });
  expect(toPredictionLoss([{ margin: -800, preferred: false }])).toEqual({ brier: 0, logLoss: 0 });
  expect(toPredictionLoss([{ margin: 800, preferred: false }])).toEqual({ brier: 1, logLoss: 800 });
});

test("losses are means over pairs, of which there must be some", () => {
  const margin = Math.log(3);
  const { brier, logLoss } = toPredictionLoss([
    { margin, preferred: true },
    { margin, preferred: false },
  ]);
  expect(brier).toBeCloseTo((0.0625 + 0.5625) / 2, 12);
  expect(logLoss).toBeCloseTo(-(Math.log(0.75) + Math.log(0.25)) / 2, 12);
  expect(() => toPredictionLoss([])).toThrow("at least one pair");
});
