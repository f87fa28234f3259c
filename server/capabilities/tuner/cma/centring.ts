import { fold, fromUnit, toUnit } from "./bounds.ts";
import { findCell, type CmaParameter } from "./parameter.ts";
import type { Point } from "./update.ts";
import { at, type Vector } from "./vector.ts";

/** The least standard deviation of a parameter with steps, in steps: the next value stays within reach. */
const MIN_DEVIATION = 0.2;

/**
 * Moves the better points of a generation, where a parameter with steps has another value than at the mean, to the middle
 * of that value's cell; and the others towards the middle of the mean's cell by as much as that would shift the mean.
 * No parameter's value changes. T. Marty, N. Hansen, A. Auger, Y. Semet, S. Héron, "LB+IC-CMA-ES", PPSN 2024.
 */
export function centre(parameters: readonly CmaParameter[], mean: Vector, points: readonly Point[]): Point[] {
  const xs = points.map(({ x }) => [...x]);
  for (const [i, parameter] of parameters.entries()) {
    const home = findCell(parameter, toUnit(at(mean, i)));
    if (home === undefined) continue;
    const moves = xs.map((x) => {
      const cell = findCell(parameter, toUnit(at(x, i)));
      return { isHome: cell?.value === home.value, by: cell === undefined ? 0 : stepTo(at(x, i), cell.centre) };
    });
    const bias = total(moves, (move) => (move.isHome ? 0 : move.by));
    const opposed = (move: (typeof moves)[number]) => (move.isHome && move.by * bias < 0 ? move.by : 0);
    const room = Math.abs(total(moves, opposed));
    const share = room > 0 ? Math.min(1, Math.abs(bias) / room) : 0;
    for (const [k, move] of moves.entries()) {
      const x = xs[k];
      if (x !== undefined) x[i] = at(x, i) + (move.isHome ? share * opposed(move) : move.by);
    }
  }
  return points.map((point, k) => ({ ...point, x: xs[k] ?? point.x }));
}

/** The least standard deviation of each coordinate around a mean; 0 where there are no steps. */
export function leastDeviations(parameters: readonly CmaParameter[], mean: Vector): number[] {
  return parameters.map((parameter, i) => MIN_DEVIATION * (findCell(parameter, toUnit(at(mean, i)))?.width ?? 0));
}

/** Returns the distance that x must go, in its own image of the unit interval, to reach `unit`. */
function stepTo(x: number, unit: number): number {
  const folded = fold(x);
  return folded.slope * (fromUnit(unit) - folded.x);
}

function total<T>(items: readonly T[], term: (item: T) => number): number {
  return items.reduce((sum, item) => sum + term(item), 0);
}
