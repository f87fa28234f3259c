/** `winner` was taken from itself and `losers`, `count` times. */
export interface Win {
  readonly winner: number;
  readonly losers: readonly number[];
  readonly count: number;
}

/**
 * Centred abilities by minorisation-maximisation (Hunter 2004): slow, but each line of it is obvious, and it has nothing
 * in common with Newton's method.
 */
export function minorise(items: number, wins: readonly Win[]): number[] {
  let worths = Array<number>(items).fill(1);
  for (let round = 0; round < 100_000; round += 1) {
    const won = Array<number>(items).fill(0);
    const weight = Array<number>(items).fill(0);
    for (const { winner, losers, count } of wins) {
      won[winner] = (won[winner] ?? 0) + count;
      const all = [winner, ...losers];
      const total = all.reduce((sum, item) => sum + (worths[item] ?? 0), 0);
      for (const item of all) weight[item] = (weight[item] ?? 0) + count / total;
    }
    const next = won.map((value, item) => value / (weight[item] ?? 1));
    const logs = next.map(Math.log);
    const mean = logs.reduce((sum, value) => sum + value, 0) / items;
    const centred = logs.map((value) => value - mean);
    const change = Math.max(...centred.map((value, item) => Math.abs(value - Math.log(worths[item] ?? 1))));
    worths = centred.map(Math.exp);
    if (change < 1e-13) break;
  }
  return worths.map(Math.log);
}
