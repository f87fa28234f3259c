import { readDecimal, toNumber } from "./decimal.ts";
import type { Criterion, Question, Verdict } from "./decision.ts";
import { greatest, least, type PayoffTable, sum } from "./payoff-table.ts";
import { toRegrets } from "./regrets.ts";

/** A criterion's scores before they are told: exact, so that ties are ties, and the greatest is the best. */
interface Scored {
  readonly criterion: Criterion;
  readonly scores: readonly bigint[];
  readonly scale: number;
  readonly divisor?: bigint;
  /** True if the scores are losses, which are shown without their sign and minimised whatever the question is about. */
  readonly isLoss?: true;
}

/**
 * Decides by each criterion. With probabilities: the expected value, and the expected opportunity loss, which always
 * agree. Without regard to them: Savage's minimax regret ("The theory of statistical decision", J. Am. Stat. Assoc. 46,
 * 1951), Wald's maximin ("Statistical decision functions which minimize the maximum risk", Ann. Math. 46, 1945), maximax,
 * Hurwicz's weighing of best and worst ("Optimality criteria for decision making under ignorance", Cowles Commission
 * Discussion Paper 370, 1951) and Laplace's equal chances ("Essai philosophique sur les probabilités", 1814).
 */
export function applyCriteria(question: Question, table: PayoffTable): readonly Verdict[] {
  const { gains, scale, probabilities } = table;
  const losses = toRegrets(gains).map((row) => row.map((regret) => -regret));
  const alpha = readDecimal(question.alpha);
  const [worst, best] = [gains.map(least), gains.map(greatest)];
  const scored: Scored[] = [
    { criterion: "minimax_regret", scores: losses.map(least), scale, isLoss: true },
    { criterion: "maximin", scores: worst, scale },
    { criterion: "maximax", scores: best, scale },
    {
      criterion: "hurwicz",
      scores: gains.map((_, at) => {
        const pessimism = 10n ** BigInt(alpha.scale) - alpha.digits;
        return alpha.digits * (best[at] ?? 0n) + pessimism * (worst[at] ?? 0n);
      }),
      scale: scale + alpha.scale,
    },
    { criterion: "laplace", scores: gains.map(sum), scale, divisor: BigInt(question.states.length) },
  ];
  if (probabilities !== undefined) {
    const expect = (row: readonly bigint[]) => expectation(row, probabilities.digits);
    const expected = { scale: scale + probabilities.scale };
    scored.unshift(
      { criterion: "expected_value", scores: gains.map(expect), ...expected },
      { criterion: "expected_opportunity_loss", scores: losses.map(expect), ...expected, isLoss: true },
    );
  }
  return scored.map((one) => toVerdict(one, question, table.sign));
}

/** At the sum of the two scales. */
export function expectation(row: readonly bigint[], probabilities: readonly bigint[]): bigint {
  return sum(row.map((value, state) => value * (probabilities[state] ?? 0n)));
}

function toVerdict({ criterion, scores, scale, divisor, isLoss }: Scored, question: Question, sign: bigint): Verdict {
  const best = greatest(scores);
  const tell = (score: bigint) => toNumber({ digits: (isLoss ? -1n : sign) * score, scale }, divisor);
  return {
    criterion,
    objective: isLoss || sign < 0n ? "minimise" : "maximise",
    scores: scores.map(tell),
    best: tell(best),
    choices: question.alternatives.flatMap(({ name }, at) => (scores[at] === best ? [name] : [])),
  };
}
