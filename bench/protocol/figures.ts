import type { Window } from "./rounds.ts";

export type Figure = "rate" | "p50" | "p99" | "cpu";

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The median over the rounds; NaN when it was not measured. */
export function medianOf(windows: readonly Window[], name: string, connections: number, figure: Figure): number {
  return median(
    windows
      .filter((window) => window.name === name && window.connections === connections)
      .map((window) => window[figure]),
  );
}

/**
 * How one compares with another, or with the greatest of several: the median of the ratios within each round. Taking ratios
 * of medians instead would compare windows that may be minutes apart.
 */
export function ratioOf(
  windows: readonly Window[],
  name: string,
  others: readonly string[],
  connections: number,
  figure: Figure = "rate",
): number {
  const ratios = windows
    .filter((window) => window.name === name && window.connections === connections)
    .flatMap((window) => {
      const beside = windows.filter(
        (other) => other.round === window.round && other.connections === connections && others.includes(other.name),
      );
      return beside.length === 0 ? [] : [window[figure] / Math.max(...beside.map((other) => other[figure]))];
    });
  return median(ratios);
}

/** Three significant digits at most, and a dash for what was not measured. */
export function show(value: number): string {
  if (Number.isNaN(value)) return "-";
  if (!Number.isFinite(value)) return "∞";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
