import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Criterion, Question, Report } from "../../../../tools/_lib/decisions/decision.ts";
import { evaluate } from "../../../../tools/_lib/decisions/evaluate.ts";
import { findProblem } from "../../../../tools/_lib/decisions/payoff-table.ts";

/** Worked by hand: which plant to build. */
const PLANT: Question = {
  orientation: "gain",
  alpha: 0.5,
  states: [
    { name: "high", probability: 0.4 },
    { name: "moderate", probability: 0.5 },
    { name: "low", probability: 0.1 },
  ],
  alternatives: [
    { name: "large", payoffs: [200, 100, -120] },
    { name: "small", payoffs: [90, 120, 20] },
    { name: "nothing", payoffs: [0, 0, 0] },
  ],
};

/** Worked by hand: how to pay for work that takes nobody knows how long. */
const OFFERS: Question = {
  orientation: "cost",
  alpha: 0.5,
  states: [{ name: "short" }, { name: "long" }],
  alternatives: [
    { name: "by the hour", payoffs: [10, 60] },
    { name: "flat", payoffs: [30, 30] },
  ],
};

const verdictOf = ({ criteria }: Report, wanted: Criterion) => {
  const verdict = criteria.find(({ criterion }) => criterion === wanted);
  if (!verdict) throw new Error(`no ${wanted}`);
  return verdict;
};

describe("a payoff table worked by hand", () => {
  test("gets the results of every criterion", () => {
    const report = evaluate(PLANT);
    expect(report.criteria).toEqual([
      { criterion: "expected_value", objective: "maximise", scores: [118, 98, 0], best: 118, choices: ["large"] },
      {
        criterion: "expected_opportunity_loss",
        objective: "minimise",
        scores: [24, 44, 142],
        best: 24,
        choices: ["large"],
      },
      { criterion: "minimax_regret", objective: "minimise", scores: [140, 110, 200], best: 110, choices: ["small"] },
      { criterion: "maximin", objective: "maximise", scores: [-120, 20, 0], best: 20, choices: ["small"] },
      { criterion: "maximax", objective: "maximise", scores: [200, 120, 0], best: 200, choices: ["large"] },
      { criterion: "hurwicz", objective: "maximise", scores: [40, 70, 0], best: 70, choices: ["small"] },
      { criterion: "laplace", objective: "maximise", scores: [60, 230 / 3, 0], best: 230 / 3, choices: ["small"] },
    ]);
    expect(report.regrets).toEqual([
      [0, 20, 140],
      [110, 0, 0],
      [200, 120, 20],
    ]);
    expect(report.dominated).toEqual([{ alternative: "nothing", by: "small", kind: "strict" }]);
    expect(report.perfect_information).toEqual({ expected_value: 142, value: 24 });
    expect(report.summary).toBe(
      'Best: "large" by expected value, expected opportunity loss and maximax; "small" by minimax regret, maximin, hurwicz and laplace. Dominated: "nothing".',
    );
  });

  test("gets them for costs, where the most is the worst", () => {
    const report = evaluate(OFFERS);
    expect(report.criteria.map(({ criterion, scores, choices }) => [criterion, scores, choices])).toEqual([
      ["minimax_regret", [30, 20], ["flat"]],
      ["maximin", [60, 30], ["flat"]],
      ["maximax", [10, 30], ["by the hour"]],
      ["hurwicz", [35, 30], ["flat"]],
      ["laplace", [35, 30], ["flat"]],
    ]);
    expect(new Set(report.criteria.map(({ objective }) => objective))).toEqual(new Set(["minimise"]));
    expect(report.regrets).toEqual([
      [0, 30],
      [20, 0],
    ]);
    expect(report).not.toHaveProperty("perfect_information");
    expect(report.dominated).toEqual([]);
  });

  test("weighs best and worst by alpha: at its ends Hurwicz is maximin and maximax", () => {
    expect(verdictOf(evaluate({ ...PLANT, alpha: 0.8 }), "hurwicz")).toMatchObject({ scores: [136, 100, 0] });
    const [pessimist, optimist] = [0, 1].map((alpha) => evaluate({ ...PLANT, alpha }));
    expect(pessimist && verdictOf(pessimist, "hurwicz").scores).toEqual([-120, 20, 0]);
    expect(optimist && verdictOf(optimist, "hurwicz").scores).toEqual([200, 120, 0]);
  });

  test("shows ties as ties, where binary fractions would break them", () => {
    const report = evaluate({
      ...PLANT,
      states: [0.1, 0.2, 0.7].map((probability, at) => ({ name: `s${at}`, probability })),
      alternatives: [
        { name: "a", payoffs: [0.3, 0.3, 0.3] },
        { name: "b", payoffs: [3, 0, 0] },
        { name: "c", payoffs: [1.1, 0.6, 0.1] },
      ],
    });
    expect(verdictOf(report, "expected_value")).toMatchObject({ scores: [0.3, 0.3, 0.3], choices: ["a", "b", "c"] });
  });

  test("calls an alternative weakly dominated that is never better and sometimes worse, and equals not at all", () => {
    const { dominated } = evaluate({
      ...OFFERS,
      alternatives: [
        { name: "a", payoffs: [1, 2] },
        { name: "b", payoffs: [1, 3] },
        { name: "c", payoffs: [1, 2] },
      ],
    });
    expect(dominated).toEqual([{ alternative: "b", by: "a", kind: "weak" }]);
  });
});

/** Numbers with few digits, so that ties and domination happen. */
const payoff = fc.integer({ min: -50, max: 50 }).map((value) => value / 10);
const question: fc.Arbitrary<Question> = fc
  .record({
    width: fc.integer({ min: 1, max: 4 }),
    height: fc.integer({ min: 1, max: 5 }),
    orientation: fc.constantFrom("gain" as const, "cost" as const),
    alpha: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    weights: fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 4, maxLength: 4 }),
    numbers: fc.array(payoff, { minLength: 20, maxLength: 20 }),
    known: fc.boolean(),
  })
  .map(({ width, height, orientation, alpha, weights, numbers, known }) => {
    // The last state takes what is left, so that the sum is 1.
    const shares = weights.slice(0, width - 1).map((weight) => weight / 100);
    const rest = Number((1 - shares.reduce((sum, share) => sum + share, 0)).toFixed(2));
    const probabilities = [...shares, rest];
    return {
      orientation,
      alpha,
      states: Array.from({ length: width }, (_, at) => ({
        name: `s${at}`,
        ...(known ? { probability: probabilities[at] ?? 0 } : {}),
      })),
      alternatives: Array.from({ length: height }, (_, at) => ({
        name: `a${at}`,
        payoffs: numbers.slice(at * 4, at * 4 + width),
      })),
    };
  });

const change = (asked: Question, turn: (value: number) => number): Question => ({
  ...asked,
  alternatives: asked.alternatives.map(({ name, payoffs }) => ({ name, payoffs: payoffs.map(turn) })),
});
const choicesOf = ({ criteria }: Report) => criteria.map(({ criterion, choices }) => [criterion, [...choices].sort()]);
const tenth = (value: number) => Number(value.toFixed(1));

describe("for any payoff table", () => {
  test("it is one that nothing is wrong with", () => {
    fc.assert(fc.property(question, (asked) => findProblem(asked) === undefined));
  });

  test("no criterion prefers a dominated alternative to what dominates it; a strictly dominated one is never chosen", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { criteria, dominated } = evaluate(asked);
        for (const { alternative, by, kind } of dominated) {
          for (const { choices } of criteria) {
            if (kind === "strict") expect(choices).not.toContain(alternative);
            else if (choices.includes(alternative)) expect(choices).toContain(by);
          }
        }
      }),
    );
  });

  test("regrets are never negative, and in every state somebody has none", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { regrets } = evaluate(asked);
        expect(regrets.flat().every((regret) => regret >= 0)).toBe(true);
        asked.states.forEach((_, state) => expect(regrets.map((row) => row[state])).toContain(0));
      }),
    );
  });

  test("adding the same to every payoff changes no choice, no regret and no value of information", () => {
    fc.assert(
      fc.property(question, payoff, (asked, more) => {
        const [before, after] = [evaluate(asked), evaluate(change(asked, (value) => tenth(value + more)))];
        expect(choicesOf(after)).toEqual(choicesOf(before));
        expect(after.regrets).toEqual(before.regrets);
        expect(after.dominated).toEqual(before.dominated);
        expect(after.perfect_information?.value).toBe(before.perfect_information?.value);
      }),
    );
  });

  test("the order of alternatives and states changes no choice", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const turned: Question = {
          ...asked,
          states: asked.states.toReversed(),
          alternatives: asked.alternatives
            .toReversed()
            .map(({ name, payoffs }) => ({ name, payoffs: payoffs.toReversed() })),
        };
        expect(choicesOf(evaluate(turned))).toEqual(choicesOf(evaluate(asked)));
      }),
    );
  });

  test("gains and their negatives as costs are the same decision", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const mirrored: Question = {
          ...change(asked, (value) => 0 - value),
          orientation: asked.orientation === "gain" ? "cost" : "gain",
        };
        const [own, other] = [evaluate(asked), evaluate(mirrored)];
        expect(choicesOf(other)).toEqual(choicesOf(own));
        expect(other.regrets).toEqual(own.regrets);
        expect(other.perfect_information?.value).toBe(own.perfect_information?.value);
      }),
    );
  });

  test("the value of perfect information is the least expected opportunity loss", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const report = evaluate(asked);
        if (report.perfect_information === undefined) return;
        expect(report.perfect_information.value).toBe(verdictOf(report, "expected_opportunity_loss").best);
      }),
    );
  });

  test("the id is the content's: the same for the same, another for any other", () => {
    fc.assert(
      fc.property(question, question, (one, other) => {
        expect(evaluate(structuredClone(one)).id).toBe(evaluate(one).id);
        if (JSON.stringify(one) !== JSON.stringify(other)) expect(evaluate(other).id).not.toBe(evaluate(one).id);
      }),
    );
    expect(evaluate(PLANT).id).toMatch(/^decision_[0-9a-f]{32}$/);
  });
});
