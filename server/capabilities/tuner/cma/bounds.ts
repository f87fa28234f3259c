/**
 * The smooth way into [0, 1] for what CMA-ES samples without bounds: the identity but for a margin at each end, where a
 * parabola meets the bound with slope zero, and periodic outside. An optimum on a bound is then an ordinary minimum inside
 * the search space, where clipping or drawing again would flatten or skew it. After BoundTransform of pycma.
 */
export const MARGIN = 0.05;

const SPAN = 1 + 2 * MARGIN;

/** Mirrors x at the ends into [-MARGIN, 1 + MARGIN]; `slope` shows the image moving with x (1) or against it (-1). */
export function fold(x: number): { readonly x: number; readonly slope: 1 | -1 } {
  if (x >= -MARGIN && x <= 1 + MARGIN) return { x, slope: 1 };
  const period = 2 * SPAN;
  const offset = x + MARGIN - period * Math.floor((x + MARGIN) / period);
  return offset <= SPAN ? { x: offset - MARGIN, slope: 1 } : { x: period - offset - MARGIN, slope: -1 };
}

export function toUnit(x: number): number {
  const { x: folded } = fold(x);
  if (folded < MARGIN) return ((folded + MARGIN) * (folded + MARGIN)) / (4 * MARGIN);
  const rest = 1 + MARGIN - folded;
  return rest < 2 * MARGIN ? 1 - (rest * rest) / (4 * MARGIN) : folded;
}

/** The x in [-MARGIN, 1 + MARGIN] that `toUnit` takes to `unit`. */
export function fromUnit(unit: number): number {
  if (unit < MARGIN) return Math.sqrt(4 * MARGIN * unit) - MARGIN;
  return unit > 1 - MARGIN ? 1 + MARGIN - Math.sqrt(4 * MARGIN * (1 - unit)) : unit;
}
