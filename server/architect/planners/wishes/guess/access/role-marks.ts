/** Articles, prepositions and the word for roles, which may stand before the name of a role or a right. */
const LEAD = String.raw`(?:(?:for|to|from|by|with|of|off|at|in|on|the|an?|our|just|roles?|rolle|rol|rôle|der|dem|den|die|das|des|bei|von|vom|zum|zur|für|el|la|los|las|al?|del?|para|les?|aux?|à|du|des|pour)\s+)*["'\x60]?$`;
const EXCEPTED = new RegExp(
  String.raw`(?:\b(?:except(?:ing)?(?: for)?|other than|besides|apart from|aside from|excluding|ausgenommen|bis auf|excepto|salvo|sauf|hormis|à part)|(?<!\p{L})außer|\b(?:every\p{L}*|all|any\p{L}*|no(?:body| ?one|ne)?(?= )|no \p{L}+)(?: (?:of (?:the|our) )?roles?)?\s+but|除了)\s*${LEAD}`,
  "iu",
);
/** "Only the office should", "up to operators": who has it, and keeps it. */
const ALONE = new RegExp(
  String.raw`(?:\b(?:only|solely|exclusively|nur|allein|s[oó]lo|solamente|únicamente|seul(?:e|s|ement)?|uniquement)\s+(?:(?:the|our|der|die|das|den|el|la|los|las|les?)\s+)?(?:roles?\s+|rolle\s+|rol\s+|rôle\s+)?["'\x60]?$|(?:\b(?:is|are|be|stays?|remains?) (?:only |entirely |solely )?(?:up to|for|the (?:business|job|task|duty|matter) of)|\b(?:ist|sind) sache|\bes cosa|\best l['’]affaire|只有|仅)\s*${LEAD})`,
  "iu",
);
const ALONE_BEHIND = /^["'\x60]?\s+(?:alone|and (?:nobody|no one) else|allein)\b/iu;
const DENIED = new RegExp(
  String.raw`(?:^|[,;(–—:-]|\b(?:and|but|und|aber|y|pero|et|mais)\b)\s*(?:not|never|nicht|nie|niemals|no|nunca|pas|jamais)\s+(?!only)${LEAD}|而不是\s*$`,
  "iu",
);
const INSTEAD = new RegExp(
  String.raw`(?:\b(?:rather than|instead of|in place of|anstatt|statt|anstelle|en vez de|en lugar de|au lieu de|plutôt qu(?:e|['’]))|代替)\s*${LEAD}`,
  "iu",
);
const COMPARED = new RegExp(
  String.raw`\b(?:like|unlike|as|than|that|wie|als|como|comme|que)\s+(?:(?:the|our|der|die|das|el|la|los|las|les?)\s+)?(?:roles?\s+)?["'\x60]?$`,
  "iu",
);

/**
 * What the words around the name of a role or a right make of it. `excepted`: it is left out of all. `alone`: it has what others are not to
 * have. `denied`: it is not meant. `instead`: something else takes its place. `compared`: something else is to be as it is.
 */
export type Mark = "excepted" | "alone" | "denied" | "instead" | "compared";

/** Reads what the words before and behind a name make of it. */
export function readMark(before: string, behind: string): Mark | undefined {
  if (/\bnothing (?:but|except)\s*\S*$/iu.test(before)) return undefined;
  if (EXCEPTED.test(before)) return "excepted";
  if (INSTEAD.test(before)) return "instead";
  if (DENIED.test(before)) return "denied";
  if (ALONE.test(before) || ALONE_BEHIND.test(behind)) return "alone";
  return COMPARED.test(before) ? "compared" : undefined;
}
