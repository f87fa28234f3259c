/** Times that looking up one part of a text takes as long as searching a short text for one value. */
const LOOK_UP_COST = 4;

/**
 * Creates a function that returns the values to look for in a text, the longest first: all that occur in it, and others only where
 * telling them apart would take longer than looking for each. `values`: each once, the longest first, none empty. A caller may have
 * tens of thousands of values hidden, in as many texts; looking for each in each would take minutes.
 */
export function createFindValues(values: readonly string[]): (text: string) => readonly string[] {
  let byLength: ReadonlyMap<number, ReadonlySet<string>> | undefined;
  return (text) => {
    // Lengths differ, so fewer values than that are never told apart in less time.
    if (values.length <= LOOK_UP_COST) return values;
    byLength ??= toSets(values);
    let parts = 0;
    for (const length of byLength.keys()) parts += Math.max(0, text.length - length + 1);
    return parts * LOOK_UP_COST > values.length ? values : find(byLength, text);
  };
}

function find(byLength: ReadonlyMap<number, ReadonlySet<string>>, text: string): readonly string[] {
  const found: string[] = [];
  for (const [length, values] of byLength) {
    for (let at = 0; at + length <= text.length; at += 1) {
      const part = text.slice(at, at + length);
      if (values.has(part) && !found.includes(part)) found.push(part);
    }
  }
  return found;
}

/** Groups values by their lengths, in the order in which they come. */
function toSets(values: readonly string[]): ReadonlyMap<number, ReadonlySet<string>> {
  const sets = new Map<number, Set<string>>();
  for (const value of values) {
    const known = sets.get(value.length);
    if (known === undefined) sets.set(value.length, new Set([value]));
    else known.add(value);
  }
  return sets;
}
