const MAX_DISTANCE = 2;

/** The candidate that `word` is most likely a misspelling of. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let least = Math.min(MAX_DISTANCE, Math.ceil(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (simplify(candidate) === simplify(word)) return candidate;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const found = distance(word.toLowerCase(), candidate.toLowerCase());
    if (found < least) [best, least] = [candidate, found];
  }
  return best;
}

/** The fewest insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j - 1] ?? 0) + (same ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? Infinity) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Removes differences of spelling habits: `side_effect` and `sideEffects` become one word, and so do `proxy` and `proxies`. */
function simplify(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, "").replace(/ies$/, "y").replace(/s$/, "");
}
