import { legendreRule } from "../legendre-rule.ts";
import type { Tally } from "./bandit.ts";

const SIZE = 12;
const { nodes, weights, integrals } = legendreRule(SIZE);
/** Panel ends around each posterior's mode, in its own standard deviations; beyond lies less than 1e-13 of it. */
const REACH = [-32, -16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16, 32];

/** A stretch of y between two neighbouring panel ends. */
interface Panel {
  readonly start: number;
  readonly half: number;
}

/**
 * With what probability each arm has the highest mean, when its mean is Beta(a, b) distributed with a = 1 + sum and
 * b = 1 + pulls - sum: the probability with which Thompson sampling pulls it. That is the integral of its density times
 * the distribution functions of all others, taken by quadrature over y = logit(mean), where the densities are smooth
 * for every a and b. It is exact to about 1e-10; the arm is drawn from just these numbers, so as propensities they are.
 */
export function bestArmProbabilities(tallies: readonly Pick<Tally, "pulls" | "sum">[]): number[] {
  const posteriors = tallies.map(({ pulls, sum }) => ({ a: 1 + sum, b: 1 + Math.max(0, pulls - sum) }));
  const panels = toPanels(posteriors.flatMap(panelEnds));
  const logs = softplusAtNodes(panels);
  const curves = posteriors.map(({ a, b }) => curveOf(a, b, panels, logs));
  const best = tallies.map(() => 0);
  const before = new Float64Array(curves.length);
  for (let place = 0; place < logs.length; place += 1) {
    // Each arm needs the product over all others: that of those before it, and, on the way back, of those behind it.
    let product = weights[place % SIZE] ?? 0;
    for (const [arm, { below }] of curves.entries()) {
      before[arm] = product;
      product *= below[place] ?? 0;
    }
    let behind = 1;
    for (let arm = curves.length - 1; arm >= 0; arm -= 1) {
      const curve = curves[arm];
      best[arm] = (best[arm] ?? 0) + (before[arm] ?? 0) * behind * (curve?.density[place] ?? 0);
      behind *= curve?.below[place] ?? 0;
    }
  }
  const total = best.reduce((sum, share) => sum + share, 0);
  return best.map((share) => share / total);
}

/** Density times half the panel, and distribution function, at every node of every panel. */
function curveOf(a: number, b: number, panels: readonly Panel[], logs: Float64Array) {
  const density = new Float64Array(logs.length);
  const below = new Float64Array(logs.length);
  const peak = Math.log(a / b);
  const height = a * peak - (a + b) * softplus(peak);
  let reached = 0;
  for (const [panel, { start, half }] of panels.entries()) {
    const first = panel * SIZE;
    for (let node = 0; node < SIZE; node += 1) {
      const y = start + half * (1 + (nodes[node] ?? 0));
      density[first + node] = half * Math.exp(a * y - (a + b) * (logs[first + node] ?? 0) - height);
    }
    for (let node = 0; node < SIZE; node += 1)
      below[first + node] = reached + dot(integrals[node] ?? [], density, first);
    reached += dot(weights, density, first);
  }
  return {
    density: density.map((value) => value / reached),
    below: below.map((value) => Math.max(0, value / reached)),
  };
}

function panelEnds({ a, b }: { readonly a: number; readonly b: number }): number[] {
  const deviation = Math.sqrt(1 / a + 1 / b);
  return REACH.map((times) => Math.log(a / b) + times * deviation);
}

function toPanels(ends: readonly number[]): Panel[] {
  const sorted = Float64Array.from(ends).sort();
  const panels: Panel[] = [];
  for (let end = 1; end < sorted.length; end += 1) {
    const start = sorted[end - 1] ?? 0;
    const half = ((sorted[end] ?? 0) - start) / 2;
    if (half > 0) panels.push({ start, half });
  }
  return panels;
}

function softplusAtNodes(panels: readonly Panel[]): Float64Array {
  const values = panels.flatMap(({ start, half }) => nodes.map((node) => softplus(start + half * (1 + node))));
  return Float64Array.from(values);
}

/** log(1 + e^y), written so that nothing overflows. */
function softplus(y: number): number {
  return Math.max(y, 0) + Math.log1p(Math.exp(-Math.abs(y)));
}

function dot(factors: readonly number[], values: Float64Array, first: number): number {
  let sum = 0;
  for (let index = 0; index < SIZE; index += 1) sum += (factors[index] ?? 0) * (values[first + index] ?? 0);
  return sum;
}
