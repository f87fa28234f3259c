import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../store/store.ts";
import { alignLists } from "./align-lists.ts";
import type { Path } from "./edit-json.ts";
import { defined } from "../../json/defined.ts";

/** One place that both sides have made something else of; a side that has nothing there is absent. */
export interface Contradiction {
  readonly path: Path;
  readonly was?: Json;
  readonly ours?: Json;
  readonly theirs?: Json;
}

export interface MergedValue {
  /** Absent: nothing is left. At a contradiction, what `ours` has. */
  readonly value: Json | undefined;
  readonly contradictions: readonly Contradiction[];
}

interface Sides {
  readonly was: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

/**
 * Merges two changes of one value, key by key: what one side alone has changed is as that side has it. Items that both
 * sides add to a list are all kept, those of `ours` first.
 */
export function mergeValues(was: Json, ours: Json, theirs: Json): MergedValue {
  const contradictions: Contradiction[] = [];
  return { value: merge({ was, ours, theirs }, []), contradictions };

  function merge(sides: Sides, path: Path): Json | undefined {
    const { was: before, ours: one, theirs: other } = sides;
    if (isSame(other, before) || isSame(one, other)) return one;
    if (isSame(one, before)) return other;
    if (isMapping(one) && isMapping(other) && (before === undefined || isMapping(before))) {
      return mergeMappings(before ?? {}, one, other, path);
    }
    if (Array.isArray(before) && Array.isArray(one) && Array.isArray(other)) {
      return mergeLists(before, one, other, path);
    }
    return contradict(sides, path);
  }

  function mergeMappings(before: Mapping, one: Mapping, other: Mapping, path: Path): Json {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    const members = [...names].flatMap((name) => {
      const sides = { was: memberOf(before, name), ours: memberOf(one, name), theirs: memberOf(other, name) };
      const member = merge(sides, [...path, name]);
      return member === undefined ? [] : [[name, member] as const];
    });
    return Object.fromEntries(members);
  }

  /** Between items that all three have, each stretch is merged by itself. */
  function mergeLists(before: List, one: List, other: List, path: Path): Json {
    const [inOne, inOther] = [new Map(alignLists(before, one)), new Map(alignLists(before, other))];
    const merged: Json[] = [];
    let [from, fromOne, fromOther] = [0, 0, 0];
    for (let at = 0; at <= before.length; at++) {
      const isEnd = at === before.length;
      const toOne = isEnd ? one.length : inOne.get(at);
      const toOther = isEnd ? other.length : inOther.get(at);
      if (toOne === undefined || toOther === undefined) continue;
      const stretch = [before.slice(from, at), one.slice(fromOne, toOne), other.slice(fromOther, toOther)] as const;
      merged.push(...mergeStretch(...stretch, path, from));
      if (!isEnd) merged.push(before[at] as Json);
      [from, fromOne, fromOther] = [at + 1, toOne + 1, toOther + 1];
    }
    return merged;
  }

  function mergeStretch(before: List, one: List, other: List, path: Path, from: number): List {
    if (isSame(other, before) || isSame(one, other)) return one;
    if (isSame(one, before)) return other;
    const isPaired = before.length === one.length && one.length === other.length;
    if (isPaired && [...before, ...one, ...other].every(isMapping)) {
      return before.map((item, at) => {
        const sides = { was: item, ours: one[at], theirs: other[at] };
        return merge(sides, [...path, from + at]) ?? item;
      });
    }
    const goneOfOne = without(before, one);
    const goneOfOther = without(before, other);
    const [newOfOne, newOfOther] = [without(one, before), without(other, before)];
    const areBothGone = without(goneOfOne, goneOfOther).length < goneOfOne.length;
    if (areBothGone && (newOfOne.length > 0 || newOfOther.length > 0)) {
      contradict({ was: before, ours: one, theirs: other }, path);
      return one;
    }
    return [...without(one, goneOfOther), ...without(newOfOther, one)];
  }

  function contradict({ was: before, ours: one, theirs: other }: Sides, path: Path): Json | undefined {
    contradictions.push({
      path,
      ...defined({ was: before, ours: one, theirs: other }),
    });
    return one;
  }
}

type Mapping = { readonly [name: string]: Json };
type List = readonly Json[];

/** Those of `items` that `others` have not. */
function without(items: List, others: List): List {
  const known = new Set(others.map((item) => canonicalJson(item)));
  return items.filter((item) => !known.has(canonicalJson(item)));
}

function memberOf(mapping: Mapping, name: string): Json | undefined {
  return Object.hasOwn(mapping, name) ? mapping[name] : undefined;
}

function isMapping(value: Json | undefined): value is Mapping {
  return isObject(value) && !Array.isArray(value);
}

function isSame(one: Json | List | undefined, other: Json | List | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}
