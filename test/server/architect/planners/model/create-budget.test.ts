import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBudget } from "../../../../../server/architect/planners/model/create-budget.ts";
import { MODEL_LIMITS } from "../../../../../server/architect/planners/model/model-limits.ts";

describe("a budget", () => {
  test("counts what the endpoint says, and bytes by three where it says nothing", () => {
    const budget = createBudget(MODEL_LIMITS, () => 0);
    budget.charge({ input: 7, output: 8 }, 3000, 3000);
    expect(budget.used()).toEqual({ turns: 1, inputTokens: 7, outputTokens: 8, estimated: false });
    budget.charge({ input: undefined, output: 1 }, 3001, 3000);
    expect(budget.used()).toEqual({ turns: 2, inputTokens: 1008, outputTokens: 9, estimated: true });
  });

  test("asks for no more than is left by tokens and by cost", () => {
    const limits = { ...MODEL_LIMITS, tokens: 1000, cost: 2000, outputTokensPerTurn: 900, outputWeight: 4 };
    expect(createBudget(limits, () => 0).nextOutput(300)).toBe(475);
    expect(createBudget({ ...limits, cost: 20_000 }, () => 0).nextOutput(600)).toBe(800);
    expect(createBudget({ ...limits, cost: 20_000 }, () => 0).nextOutput(3)).toBe(900);
  });

  test("is never gone beyond by an endpoint that keeps to what it is asked for", () => {
    const turn = fc.record({ bytes: fc.integer({ min: 1, max: 60_000 }), share: fc.integer({ min: 0, max: 100 }) });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 40 }), (turns) => {
        const budget = createBudget(MODEL_LIMITS, () => 0);
        for (const { bytes, share } of turns) {
          if (budget.findExceeded(bytes) !== undefined) break;
          const output = Math.max(1, Math.floor((budget.nextOutput(bytes) * share) / 100));
          budget.charge({ input: Math.ceil(bytes / 3), output }, bytes, 0);
        }
        const { turns: taken, inputTokens, outputTokens } = budget.used();
        expect(taken).toBeLessThanOrEqual(MODEL_LIMITS.turns);
        expect(inputTokens + outputTokens).toBeLessThanOrEqual(MODEL_LIMITS.tokens);
        // One token is always asked for, and may cost what is left and its weight.
        expect(inputTokens + outputTokens * MODEL_LIMITS.outputWeight).toBeLessThanOrEqual(
          MODEL_LIMITS.cost + MODEL_LIMITS.outputWeight,
        );
      }),
    );
  });
});
