import { at, combine, squaredNorm, type Vector } from "./vector.ts";

/** Past costs that the reasons to stop need, oldest first. */
export interface History {
  /** Of each generation the best. */
  readonly bests: readonly number[];
  readonly medians: readonly number[];
  /** Number of generations in a row without a difference worth ranking. */
  readonly flat: number;
  /** Position of the mean when it last moved, and the number of generations that it has stayed there. */
  readonly anchor: { readonly mean: Vector; readonly generations: number };
}

/** The longest stretch that is kept: bounds the state and the time to look back. */
const MAX_STRETCH = 1_000;
/** A generation is flat when the best and this part of it, in rank, are as good. */
const FLAT_PART = 0.75;

export function startHistory(mean: Vector): History {
  return { bests: [], medians: [], flat: 0, anchor: { mean, generations: 0 } };
}

/** `costs` are a generation's, best first, the failed and missing ones left out; `mean` is what became of it. */
export function extendHistory(
  history: History,
  {
    costs,
    lambda,
    mean,
    generations,
    still,
  }: {
    readonly costs: Vector;
    readonly lambda: number;
    readonly mean: Vector;
    /** Number of generations of the run. */
    readonly generations: number;
    /** The distance under which the mean counts as not having moved. */
    readonly still: number;
  },
): History {
  const kept = Math.min(
    MAX_STRETCH,
    Math.max(shortStretch(mean.length, lambda), stagnationStretch(mean.length, lambda), Math.ceil(generations / 5)),
  );
  const part = Math.floor(FLAT_PART * lambda);
  const isFlat = part < costs.length && at(costs, 0) === at(costs, part);
  const moved = Math.sqrt(squaredNorm(combine(1, mean, -1, history.anchor.mean))) > still;
  return {
    bests: [...history.bests, at(costs, 0)].slice(-kept),
    medians: [...history.medians, at(costs, Math.floor((costs.length - 1) / 2))].slice(-kept),
    flat: isFlat ? history.flat + 1 : 0,
    anchor: moved ? { mean, generations: 0 } : { ...history.anchor, generations: history.anchor.generations + 1 },
  };
}

/** Generations over which `tolfun` and `tolfunhist` look (arXiv 1604.00772, B.3). */
export function shortStretch(n: number, lambda: number): number {
  return 10 + Math.ceil((30 * n) / lambda);
}

/** The fewest generations over which `stagnation` looks (as there). */
export function stagnationStretch(n: number, lambda: number): number {
  return 120 + Math.ceil((30 * n) / lambda);
}
