/** Something Cairn wants to reach, and how near it is. */
export interface Goal {
  readonly name: string;
  readonly actual: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Undefined when it was not measured. */
export function isReached({ actual, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Goal) {
  return Number.isNaN(actual) ? undefined : actual >= atLeast && actual <= atMost;
}
