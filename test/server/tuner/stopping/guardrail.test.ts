import { describe, expect, test } from "vitest";
import {
  createConfidenceSequence,
  extendConfidenceSequence,
} from "../../../../server/tuner/stopping/confidence-sequence.ts";
import { checkGuardrail } from "../../../../server/tuner/stopping/guardrail.ts";

describe("a guardrail", () => {
  test("is breached when the mean is above its limit for certain, kept when it is not, and open in between", () => {
    expect(checkGuardrail({ low: 0.03, high: 0.1 }, 0.02)).toBe("breached");
    expect(checkGuardrail({ low: 0, high: 0.02 }, 0.02)).toBe("kept");
    expect(checkGuardrail({ low: 0.02, high: 0.1 }, 0.02)).toBe("open");
    expect(() => checkGuardrail({ low: 0, high: 1 }, Number.NaN)).toThrow("The limit is `NaN`");
  });

  test("is breached after a run of failures, long before a hundred", () => {
    let sequence = createConfidenceSequence(0.05);
    let seen = 0;
    while (checkGuardrail(sequence, 0.02) === "open") {
      sequence = extendConfidenceSequence(sequence, 1);
      seen += 1;
    }
    expect(checkGuardrail(sequence, 0.02)).toBe("breached");
    expect(seen).toBeLessThan(20);
  });
});
