import type { Places } from "../places/places.ts";
import { PLAIN } from "./phrase-index.ts";
import { STOP, words } from "./word-lists.ts";
import type { Token } from "./words.ts";

/** Words before what limits a wish: "on weekends", "for premium customers". */
const SCOPES = words(
  "for on in at within during under while when outside inside für während bei para durante pour pendant",
);
/** Words behind those that limit nothing: "for every build", "in total". */
const UNLIMITED = words(
  "every each any total single general practice fact addition themselves itself ourselves short parallel row jede jeder jeden jedem cada chaque total insgesamt",
);
/** Words before what a wish is about, which may limit it, too: "the quantity of croissants". */
const ORIGINS = words("of from von vom ab de del desde du des dès");

/** Tells whether a word limits what is wished to some cases: "for premium customers", "on weekends", "bisque firings should ...". */
export function isScope(tokens: readonly Token[], place: number, places: Places, isForeign: boolean): boolean {
  const isBehind = SCOPES.has(before(tokens, place)) && !UNLIMITED.has(tokens[place]?.lower ?? "");
  return isBehind || (!isForeign && isModifier(tokens, place, places));
}

/** Tells whether a word says what something is of: "the quantity of croissants". */
export function isOrigin(tokens: readonly Token[], place: number): boolean {
  return ORIGINS.has(before(tokens, place));
}

/** "Bisque firings should ...": a word that names nothing, before a name that it limits at the beginning of a wish. */
function isModifier(tokens: readonly Token[], place: number, { frequency }: Places): boolean {
  const [{ kind, stems = [], lower = "" } = {}, next, modal] = tokens.slice(place, place + 3);
  const isUnknown =
    kind === "word" && stems.length === 1 && !stems.some((stem) => frequency.has(stem) || PLAIN.has(stem));
  return (
    isUnknown &&
    !STOP.has(lower) &&
    (place === 0 || /^(?:the|our|all|,)$/.test(tokens[place - 1]?.lower ?? "")) &&
    next?.kind === "word" &&
    next.stems.some((stem) => frequency.has(stem)) &&
    /^(?:should|must|may|can|need|needs|have|has|get|gets|ought|to|:)$/.test(modal?.lower ?? "")
  );
}

/** The word before another, without articles. */
function before(tokens: readonly Token[], place: number): string {
  let at = place - 1;
  while (/^(?:the|our|a|an|all|every|each|my|version|der|die|das|den|los|las|les)$/.test(tokens[at]?.lower ?? ""))
    at -= 1;
  return tokens[at]?.lower ?? "";
}
