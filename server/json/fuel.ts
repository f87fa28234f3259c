/** The cost that checking one value may have. */
export interface Fuel {
  /** Throws a RangeError, as a stack overflow would, when there is not so much left. */
  readonly spend: (steps: number) => void;
  /** For the next value. */
  readonly refill: (steps?: number) => void;
}

/**
 * Steps for one value: at about 8 ns each, the most hostile schema holds the main thread for about a second with the
 * most hostile value of a megabyte.
 */
const STEPS = 100_000_000;

export function createFuel(): Fuel {
  let left = STEPS;
  return {
    spend: (steps) => {
      left -= steps;
      if (left < 0) throw new RangeError("Checking this value takes too long.");
    },
    refill: (steps = STEPS) => {
      left = steps;
    },
  };
}
