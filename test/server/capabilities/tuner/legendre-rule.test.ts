import { expect, test } from "vitest";
import { legendreRule } from "../../../../server/capabilities/tuner/legendre-rule.ts";

test("polynomials are integrated exactly, over the whole interval and up to each node", () => {
  const { nodes, weights, integrals } = legendreRule(12);
  for (let power = 0; power < 24; power += 1) {
    const whole = nodes.reduce((sum, node, at) => sum + (weights[at] ?? 0) * node ** power, 0);
    expect(whole).toBeCloseTo(power % 2 === 0 ? 2 / (power + 1) : 0, 13);
  }
  for (let power = 0; power < 12; power += 1) {
    for (const [upTo, end] of nodes.entries()) {
      const part = nodes.reduce((sum, node, at) => sum + (integrals[upTo]?.[at] ?? 0) * node ** power, 0);
      expect(part).toBeCloseTo((end ** (power + 1) - (-1) ** (power + 1)) / (power + 1), 13);
    }
  }
});
