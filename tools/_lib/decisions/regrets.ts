import { greatest } from "./payoff-table.ts";

/** Computes the loss of each alternative in each state against the best one there; never less than 0. */
export function toRegrets(gains: readonly (readonly bigint[])[]): readonly (readonly bigint[])[] {
  const bests = bestOfStates(gains);
  return gains.map((row) => row.map((gain, state) => (bests[state] ?? gain) - gain));
}

/** The best gain of each state. */
export function bestOfStates(gains: readonly (readonly bigint[])[]): readonly bigint[] {
  const [first = []] = gains;
  return first.map((own, state) => greatest(gains.map((row) => row[state] ?? own)));
}
