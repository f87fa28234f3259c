import type { Alternative, Dominated } from "./decision.ts";

/** The alternatives that no one need consider, because another is better in every state, or as good and sometimes better. */
export function findDominated(
  alternatives: readonly Alternative[],
  gains: readonly (readonly bigint[])[],
): readonly Dominated[] {
  return alternatives.flatMap(({ name }, at) => {
    const own = gains[at] ?? [];
    const strict = gains.findIndex((other) => other.every((gain, state) => gain > (own[state] ?? gain)));
    const weak = gains.findIndex(
      (other) =>
        other.every((gain, state) => gain >= (own[state] ?? gain)) &&
        other.some((gain, state) => gain > (own[state] ?? gain)),
    );
    const by = alternatives[strict < 0 ? weak : strict];
    return by === undefined ? [] : [{ alternative: name, by: by.name, kind: strict < 0 ? "weak" : "strict" }];
  });
}
