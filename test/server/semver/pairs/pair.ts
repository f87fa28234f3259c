/**
 * Two schemas and how they stand to each other: `<` each value of the first is one of the second, but not the other way
 * round; `=` both ways; `x` neither way.
 */
export type Pair = readonly [one: unknown, relation: "<" | "=" | "x", other: unknown];
