import { expect, test } from "vitest";
import type { Question } from "../../../../tools/_lib/decisions/decision.ts";
import { findProblem } from "../../../../tools/_lib/decisions/payoff-table.ts";

const ask = (probabilities: readonly (number | undefined)[], more: Partial<Question> = {}): Question => ({
  orientation: "gain",
  alpha: 0.5,
  states: probabilities.map((probability, at) => ({
    name: `s${at}`,
    ...(probability === undefined ? {} : { probability }),
  })),
  alternatives: [{ name: "a", payoffs: probabilities.map(() => 1) }],
  ...more,
});

test.for([
  [ask([0.5, 0.6]), "The probabilities are 1.1 in sum; they must be 1, to a billionth."],
  [ask([1 / 3, 1 / 3, 0.3333333]), "The probabilities are 0.999999966667 in sum; they must be 1, to a billionth."],
  [ask([0.5, undefined]), "The state `s1` has no probability, but others have one."],
  [
    ask([0.5, 0.5], { alternatives: [{ name: "a", payoffs: [1] }] }),
    "`a` has 1 payoffs, but there are 2 states; each state needs one.",
  ],
  [ask([undefined], { states: [{ name: "s" }, { name: "s" }] }), "The name `s` is there twice."],
  [
    ask([undefined], {
      alternatives: [
        { name: "a", payoffs: [1] },
        { name: "a", payoffs: [2] },
      ],
    }),
    "The name `a` is there twice.",
  ],
] as const)("refuses %j", ([question, problem]) => {
  expect(findProblem(question)).toBe(problem);
});

test("takes probabilities whose sum is off by a billionth, and no more", () => {
  expect(findProblem(ask([0.1, 0.2, 0.7]))).toBeUndefined();
  expect(findProblem(ask([1 / 3, 1 / 3, 1 / 3]))).toBeUndefined();
  expect(findProblem(ask([0.333333333, 0.333333333, 0.333333333]))).toBeUndefined();
  expect(findProblem(ask([0.5, 0.500000001]))).toBeUndefined();
  expect(findProblem(ask([0.5, 0.5000000011]))).toMatch(/^The probabilities are 1\.0000000011 in sum/);
});
