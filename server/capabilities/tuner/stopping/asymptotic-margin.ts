import { CairnError } from "../../../errors.ts";
import { log } from "../elementary.ts";

/**
 * Half the width of the asymptotic confidence sequence of a mean (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021,
 * arXiv 2103.06476): the mean lies within it at all sample sizes at once, but for a chance of `alpha` that is reached as
 * samples grow. `rho` decides at which sample size the sequence is tightest: the smaller, the later.
 *
 *     sqrt( 2 (n v rho^2 + 1) / (n^2 rho^2)  *  ln( sqrt(n v rho^2 + 1) / alpha ) )
 */
export function asymptoticMargin(count: number, variance: number, alpha: number, rho: number): number {
  if (!(count > 0 && variance >= 0 && alpha > 0 && alpha < 1 && rho > 0)) {
    throw new CairnError(
      "BAD_REQUEST",
      `A margin needs a count above 0, a variance of at least 0, \`alpha\` between 0 and 1 and \`rho\` above 0, not \`${count}\`, \`${variance}\`, \`${alpha}\`, \`${rho}\`.`,
    );
  }
  const grown = count * variance * rho * rho + 1;
  return Math.sqrt(((2 * grown) / (count * count * rho * rho)) * log(Math.sqrt(grown) / alpha));
}
