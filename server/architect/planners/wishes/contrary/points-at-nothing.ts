import type { Clause } from "../clause.ts";
import { STOP } from "../words/word-lists.ts";

/** A message that begins with a word for what was named before: "make it required", "that should be true". */
const POINTING =
  /^\W*(?:(?:please|pls|plz|kindly|and|so|then|ok|okay|hi|hey|hello|now|also|just|(?:can|could|would|will) (?:you|we)|let['’]?s|(?:we|you) should)\W+)*(?:\p{L}+ (?:up |down |off |out )?)?(?:(?:it|them)\b|(?:this|that|these|those)(?=\W*$| (?:to|as|is|are|was|be|should|must|can|may|needs?|has|have|at|from|by|with|for|in|on|up|down|a|an|required|optional|mandatory|deprecated|idempotent|\d|["'\x60])))/iu;
const BOOLEAN = /^(?:true|false|on|off|yes|no|null|none)$/;

/** Tells whether a message speaks of something that was named before it, and names nothing itself. */
export function pointsAtNothing({ text, tokens, weights, actions, keys, nouns, amounts }: Clause): boolean {
  if (!POINTING.test(text)) return false;
  const said = new Set([
    ...[...actions.values()].flat(),
    ...[...keys.values()].flat(2),
    ...nouns.keys(),
    ...amounts.flatMap((amount) => amount.tokens),
  ]);
  return tokens.every(
    ({ kind, lower }, at) =>
      kind !== "word" || (weights[at] ?? 0) === 0 || said.has(at) || STOP.has(lower) || BOOLEAN.test(lower),
  );
}
