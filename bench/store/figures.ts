import { median } from "../protocol/figures.ts";

/** What was measured of commits or inserts in one window. */
export interface Figures {
  /** In a second. */
  readonly rate: number;
  /** Flushes of the database's log for each. */
  readonly flushes: number;
  /** Microseconds of the database's processor time for each. */
  readonly cpu: number;
}

/** Figures of one round by the names of what was measured. */
export type Round = Readonly<Record<string, Figures>>;

export function medianOf(rounds: readonly Round[], name: string, figure: keyof Figures): number {
  return median(rounds.map((round) => round[name]?.[figure] ?? Number.NaN));
}

/** The median of the ratios within each round, whose windows had the same weather. */
export function ratioOf(rounds: readonly Round[], name: string, to: string, figure: keyof Figures): number {
  return median(rounds.map((round) => (round[name]?.[figure] ?? Number.NaN) / (round[to]?.[figure] ?? Number.NaN)));
}
