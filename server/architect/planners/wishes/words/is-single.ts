import { UNITS } from "./units.ts";
import type { Token } from "./words.ts";

/** Words by which something is said to cost. */
const CHARGED = /^(?:cost\w*|kost\w*|cuest\w*|coût\w*|charge\w*|bill\w*|worth|counts?|zähl\w*|val(?:e|ga|er)|pric\w*)$/;
const UNIT_OF_COST = /^(?:unit|einheit|unidad|unité|credit|crédit|kredit)$/;

/** Tells whether an article counts: "a minute" is one, but not in "60 a minute" or "once a day". */
export function isSingle(tokens: readonly Token[], at: number): boolean {
  const unit = UNITS[tokens[at + 1]?.lower ?? ""];
  const before = tokens[at - 1];
  const isArticle = /^(?:an?|eine[rnm]?|una?|une)$/.test(tokens[at]?.lower ?? "");
  // "A unit" is one of what calls cost.
  if (isArticle && UNIT_OF_COST.test(tokens[at + 1]?.lower ?? ""))
    return before?.kind !== "number" && tokens.some(({ lower }) => CHARGED.test(lower));
  return (
    isArticle &&
    (unit?.of === "time" || unit?.of === "day") &&
    (tokens[at + 1]?.lower.length ?? 0) > 2 &&
    (before === undefined || (before.kind !== "number" && !/s$|^(?:once|twice|per|,|;|time|\d+)$/.test(before.lower)))
  );
}
