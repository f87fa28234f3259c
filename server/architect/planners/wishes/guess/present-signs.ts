import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import type { Amount } from "../words/values.ts";
import type { Signs } from "./signs.ts";

/** Signs of a present number that a message says beside a new one: the fewer places have it, the surer it is about this one. */
export function presentSigns(
  { tokens }: Clause,
  { now, accepts }: Place,
  present: readonly Amount[],
  { named }: Places,
): Signs {
  if (present.length === 0 || now === undefined) return {};
  const rivals = [...named.values()].filter(
    (other) => other.now === now && other.accepts.kind === "number" && accepts.kind === "number",
  ).length;
  const isSetAside = present.some(
    ({ role, tokens: [at = 0] }) =>
      role === "from" || /^(?:not|nicht|no|pas|statt|than)$/.test(tokens[at - 1]?.lower ?? ""),
  );
  return { now: 1, nowRare: 1 / Math.max(1, rivals), ...(isSetAside ? { contrast: 1 } : {}) };
}
