export type Vector = readonly number[];

export function zeros(n: number): number[] {
  return Array.from({ length: n }, () => 0);
}

/** Element `i`; NaN where there is none, which no comparison takes for a value. */
export function at(vector: Vector, i: number): number {
  return vector[i] ?? Number.NaN;
}

/** `a * x + b * y`. */
export function combine(a: number, x: Vector, b: number, y: Vector): number[] {
  return x.map((value, i) => a * value + b * at(y, i));
}

export function squaredNorm(x: Vector): number {
  return x.reduce((total, value) => total + value * value, 0);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: Vector): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (at(sorted, Math.floor((sorted.length - 1) / 2)) + at(sorted, Math.floor(sorted.length / 2))) / 2;
}
