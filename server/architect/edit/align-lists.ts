import { canonicalJson } from "../../json/canonical-json.ts";
import type { Json } from "../../store/store.ts";

/** Comparisons that are made; longer lists are matched at their ends alone. */
const COMPARISON_LIMIT = 1_000_000;

/** The indexes of equal items of two lists, in order, as many as there can be (longest common subsequence). */
export function alignLists(before: readonly Json[], after: readonly Json[]): readonly (readonly [number, number])[] {
  const [old, now] = [before.map((item) => canonicalJson(item)), after.map((item) => canonicalJson(item))];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const head = Array.from({ length: start }, (_, at) => [at, at] as const);
  const tail = Array.from({ length: end }, (_, at) => [old.length - end + at, now.length - end + at] as const);
  const middle = alignMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...head, ...middle.map(([one, other]) => [one + start, other + start] as const), ...tail];
}

function alignMiddle(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  if (old.length * now.length > COMPARISON_LIMIT) return [];
  // How many items the lists have in common from each pair of indexes on.
  const common = old.map(() => new Int32Array(now.length));
  const at = (one: number, other: number) => common[one]?.[other] ?? 0;
  for (let one = old.length - 1; one >= 0; one--) {
    for (let other = now.length - 1; other >= 0; other--) {
      const longest =
        old[one] === now[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
      (common[one] as Int32Array)[other] = longest;
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [one, other] = [0, 0]; one < old.length && other < now.length;) {
    if (old[one] === now[other]) pairs.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return pairs;
}
