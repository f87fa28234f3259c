import type { Json } from "../store/store.ts";
import type { Conjunction, Root } from "./located.ts";
import { toShapesOfAll } from "./to-shapes.ts";

/** Values of a member, beyond which telling them apart one by one is not worth it. */
const VALUE_LIMIT = 32;

/** Every value that the schemas take, where those are few. */
export function findConstantsOf(
  conjunction: Conjunction,
): { readonly values: readonly Json[]; readonly root: Root } | undefined {
  const [first] = conjunction;
  if (first === undefined) return undefined;
  const values: Json[] = [];
  for (const { only } of toShapesOfAll(conjunction)) {
    if (only === undefined || values.length + only.length > VALUE_LIMIT) return undefined;
    values.push(...only);
  }
  return { values, root: first.root };
}
