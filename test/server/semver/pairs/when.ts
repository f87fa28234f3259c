const KEYWORDS = ["if", "then", "else"];

/** A schema with `if`; an object literal with `then` could be awaited by mistake. */
export function when(...schemas: readonly [condition: unknown, then: unknown, otherwise?: unknown]) {
  return Object.fromEntries(schemas.map((schema, index) => [KEYWORDS[index] ?? "", schema]));
}
