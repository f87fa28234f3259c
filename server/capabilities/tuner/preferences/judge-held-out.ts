import { CairnError } from "../../../errors.ts";
import { uniformAt } from "../uniform.ts";
import { findPrecisionThreshold, type PrecisionThreshold, type ScoredPair } from "./precision-threshold.ts";

/** Result of a fit, with its accuracy on pairs that it was not made from. */
export interface PairsReport extends Judged {
  readonly estimates: Readonly<Record<string, { readonly value: number; readonly standardError: number | null }>>;
  readonly logLikelihood: number;
  /** True if something won, or explained, all there was, so that only `l2` keeps it finite. */
  readonly separable: boolean;
}

interface Judged {
  readonly heldOut: number;
  readonly threshold: PrecisionThreshold | null;
  readonly loss: PredictionLoss | null;
}

/** Pairs of which a share is held out; fewer tell too little of the fit, and take too much from it. */
const FEWEST_PAIRS = 40;
const SHARE = 0.25;
const LEVEL = 0.95;

/**
 * Fits a share of the pairs and looks at how the others come out. Which are held out depends on the seed and on their
 * places alone. `fit` gives the margin by which the fit would have foretold a pair as it came.
 */
export function judgeHeldOut<Pair>(
  pairs: readonly Pair[],
  seed: string,
  target: number,
  fit: (rest: readonly Pair[]) => (pair: Pair) => number,
): Judged {
  const isHeldOut = (index: number) => uniformAt(JSON.stringify([seed, "held out"]), index) < SHARE;
  const held = pairs.filter((_, index) => isHeldOut(index));
  if (pairs.length < FEWEST_PAIRS || held.length === 0) return { heldOut: 0, threshold: null, loss: null };
  const margin = tryFit(
    fit,
    pairs.filter((_, index) => !isHeldOut(index)),
  );
  if (margin === undefined) return { heldOut: 0, threshold: null, loss: null };
  const scored = held.map((pair): ScoredPair => ({ margin: margin(pair), preferred: true }));
  return {
    heldOut: held.length,
    threshold: findPrecisionThreshold(scored, target, LEVEL) ?? null,
    loss: toPredictionLoss(scored),
  };
}

/** Without the pairs held out the others may not tie all items together any more. */
function tryFit<Pair>(
  fit: (rest: readonly Pair[]) => (pair: Pair) => number,
  rest: readonly Pair[],
): ((pair: Pair) => number) | undefined {
  try {
    return fit(rest);
  } catch (error) {
    if (error instanceof CairnError && error.name === "UNPROCESSABLE") return undefined;
    throw error;
  }
}

export interface PredictionLoss {
  /** Mean squared distance of the predicted probability from what came (Brier 1950); 1/4 for a coin. */
  readonly brier: number;
  /** Mean surprise in nats; ln 2 for a coin. */
  readonly logLoss: number;
}

/** Measures how well margins, read as log odds, predict preferences; meant for pairs that the model was not fitted to. */
export function toPredictionLoss(pairs: readonly ScoredPair[]): PredictionLoss {
  if (pairs.length === 0) throw new CairnError("BAD_REQUEST", "A loss needs at least one pair.");
  let brier = 0;
  let logLoss = 0;
  for (const { margin, preferred } of pairs) {
    const against = preferred ? -margin : margin;
    const missed = 1 / (1 + Math.exp(-against));
    brier += missed * missed;
    logLoss += Math.max(0, against) + Math.log1p(Math.exp(-Math.abs(against)));
  }
  return { brier: brier / pairs.length, logLoss: logLoss / pairs.length };
}
