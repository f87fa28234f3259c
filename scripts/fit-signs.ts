/** A guess as the model of signs sees it. */
export interface Candidate {
  readonly signs: Readonly<Record<string, number>>;
  readonly isRight: boolean;
}

/** The guesses at one message as numbers: a row of signs for each, and how much of the right answer each is. */
export interface Rows {
  readonly rows: readonly Float64Array[];
  readonly targets: readonly number[];
}

const STEPS = 400;
const RATE = 0.08;
/** Strength that holds weights near 0. */
const RIDGE = 1;
/** Scores are cut off here, so that no exponential overflows. */
const MOST = 30;

export function toRows(candidates: readonly Candidate[], signs: readonly string[]): Rows {
  const right = candidates.filter(({ isRight }) => isRight).length;
  return {
    rows: candidates.map((one) => Float64Array.from(signs, (sign) => one.signs[sign] ?? 0)),
    targets: candidates.map(({ isRight }) => (isRight ? 1 / right : 0)),
  };
}

/** The probability of each guess; what is left to 1 is that of "none of them". */
export function sharesOf({ rows }: Rows, weights: Float64Array): readonly number[] {
  const exps = rows.map((row) => {
    let score = 0;
    for (let at = 0; at < weights.length; at += 1) score += (row[at] ?? 0) * (weights[at] ?? 0);
    return Math.exp(Math.max(-MOST, Math.min(MOST, score)));
  });
  const sum = 1 + exps.reduce((total, one) => total + one, 0);
  return exps.map((one) => one / sum);
}

/** Fits weights of the least loss, by Adam: a conditional logit of all guesses at a message and "none of them". */
export function fitSigns(all: readonly Rows[], size: number): Float64Array {
  const [weights, mean, square] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= STEPS; step += 1) {
    const slope = weights.map((weight) => (RIDGE * weight) / all.length);
    for (const one of all) {
      const shares = sharesOf(one, weights);
      for (const [index, row] of one.rows.entries()) {
        const by = ((shares[index] ?? 0) - (one.targets[index] ?? 0)) / all.length;
        if (Math.abs(by) < 1e-9) continue;
        for (let at = 0; at < size; at += 1) slope[at] = (slope[at] ?? 0) + by * (row[at] ?? 0);
      }
    }
    for (let at = 0; at < size; at += 1) {
      const by = slope[at] ?? 0;
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * by;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * by * by;
      const [first, second] = [(mean[at] ?? 0) / (1 - 0.9 ** step), (square[at] ?? 0) / (1 - 0.999 ** step)];
      weights[at] = (weights[at] ?? 0) - (RATE * first) / (Math.sqrt(second) + 1e-8);
    }
  }
  return weights;
}
