import { CairnError } from "../../../errors.ts";
import type { ScoredPair } from "./precision-threshold.ts";

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
