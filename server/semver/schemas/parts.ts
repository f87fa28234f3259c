import { type Conjunction, isNever } from "./located.ts";
import type { ArrayLayer, ArrayShape, ObjectLayer } from "./shape.ts";

/**
 * Returns the schemas of the member with this name. Where a pattern cannot be matched, `inner` leaves out what might not
 * apply, and `outer` includes what might: both err on the side of no proof.
 */
export function memberOf(layers: readonly ObjectLayer[], name: string, side: "inner" | "outer" = "inner"): Conjunction {
  return layers.flatMap(({ properties, patterns, additional }) => {
    const own = properties.get(name);
    if (patterns.size === 0) return own ?? additional;
    const answers = [...patterns.values()].map(({ matches, what }) => ({ answer: matches(name), what }));
    const hits = answers.filter(({ answer }) => answer === true || (answer === undefined && side === "outer"));
    const isNamed = own !== undefined || answers.some(({ answer }) => answer === true);
    const isOpen = answers.some(({ answer }) => answer === undefined);
    const rest = isNamed || (isOpen && side === "inner") ? [] : additional;
    return [...(own ?? []), ...hits.flatMap(({ what }) => what), ...rest];
  });
}

/** Returns the schemas of members that no layer names, and that match these patterns and no others. */
export function restOf(layers: readonly ObjectLayer[], matched: ReadonlySet<string>): Conjunction {
  return layers.flatMap(({ patterns, additional }) => {
    const hits = [...patterns].filter(([pattern]) => matched.has(pattern));
    return hits.length === 0 ? additional : hits.flatMap(([, { what }]) => what);
  });
}

export function namesOf(layers: readonly ObjectLayer[]): readonly string[] {
  return layers.flatMap(({ properties }) => [...properties.keys()]);
}

/** Returns the schemas of item `index`; from the longest prefix on those of all further items. */
export function itemAt(layers: readonly ArrayLayer[], index: number): Conjunction {
  return layers.flatMap(({ prefix, rest }) => prefix[index] ?? rest);
}

export function longestPrefix(...layers: readonly ArrayLayer[]): number {
  return Math.max(0, ...layers.map(({ prefix }) => prefix.length));
}

/** The most items there can be: none stands where none is allowed. */
export function mostItems({ layers, maxItems }: ArrayShape): number {
  const length = longestPrefix(...layers);
  for (let index = 0; index <= length && index < maxItems; index++) {
    if (isNever(itemAt(layers, index))) return index;
  }
  return maxItems;
}

export function leastItems({ minItems, contains }: ArrayShape): number {
  return Math.max(minItems, ...contains.map(({ min }) => min));
}
