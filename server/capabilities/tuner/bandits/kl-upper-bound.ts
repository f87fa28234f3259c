/**
 * The largest q in [mean, 1] whose Bernoulli divergence kl(mean, q), in nats, is at most `level`. By bisection down to
 * neighbouring doubles, so every machine finds the same one.
 */
export function klUpperBound(mean: number, level: number): number {
  let low = mean;
  let high = 1;
  if (bernoulliDivergence(mean, high) <= level) return high;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return low;
    if (bernoulliDivergence(mean, middle) <= level) low = middle;
    else high = middle;
  }
}

/** kl(p, q) in nats of Bernoulli distributions; 0 ln 0 is 0. */
export function bernoulliDivergence(p: number, q: number): number {
  return part(p, q) + part(1 - p, 1 - q);
}

function part(p: number, q: number): number {
  if (p === 0) return 0;
  return q === 0 ? Infinity : p * Math.log(p / q);
}
