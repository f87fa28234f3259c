import type { Span } from "../../../message/message.ts";
import { placesIn, type Token } from "./words.ts";

const SAYING =
  "says?|said|picks?|picked|chooses?|chosen?|gives?|given|specif\\w+|passe?s?|passed|asks?|asked|sets?|overrides?|overridden|provides?|provided|mentions?|mentioned|tells?|told|states?|stated";

/** "When you don't say anything", "by default": how people describe a default. */
const DEFAULT_CASE = new RegExp(
  [
    String.raw`\b(?:when|whenever|if|where|in case)\b[^,;.?]{0,30}?(?:\b(?:nothing|none|no one|nobody|not|no)\b|n['’]t\b)[^,;.?]{0,12}?\b(?:${SAYING})\b(?: (?:it|one|so|otherwise|anything|something|else|how many|which))*`,
    String.raw`\b(?:when|whenever|if|where|in case)\b[^,;.?]{0,30}?\b(?:${SAYING})\b (?:nothing|none|otherwise)`,
    String.raw`\b(?:when|if|where)\b[^,;.?]{0,20}\b(?:omitted|left out|missing|absent|empty|blank)\b`,
    String.raw`\b(?:unless|until|only (?:if|when))\b[^,;.?]{0,30}?\b(?:${SAYING}|wants?)\b(?: (?:for )?(?:it|one|so|otherwise|anything|something|else|how many|which))*`,
    String.raw`\bunless[^,;.?]{0,20} (?:has |have )?(?:tun(?:ed?|es)|been tuned)(?: it)?`,
    String.raw`\bby default\b`,
    String.raw`\bwenn (?:man |jemand |niemand )?(?:nichts|keine\w*)[^,;.]{0,40}`,
    String.raw`\b(?:si|cuando) (?:no )?(?:se|uno|nadie)[^,;.]{0,40}\b(?:indica|dice|pone|pide|especifica)\w*`,
    String.raw`\bsi (?:l['’]on|on|rien|personne)[^,;.]{0,40}\b(?:précis|indiqu|dit|demand|donn)\w*`,
    "不填|未指定|不指定|没有指定|默认",
  ].join("|"),
  "giu",
);

const WHO = String.raw`(?:the |a |our )?(?:callers?|users?|clients?|people|someone|somebody|one|they|you|it)`;
/** What joins another condition to one. */
const JOINED = /^\W*(?:and|or|but)\b/iu;
/** Sayings that nothing is given, so that a default counts. */
const CASES: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:unless|until) ${WHO} (?:asks?|asked|calls?|wants?|needs?|sets?|gives?|passes) (?:for )?(?:an?other|a different|some other)(?: [\w.]+)?`,
    "giu",
  ),
  /\b(?:when|whenever|if|where) (?:nobody|no ?one|no caller|the caller does(?:n['’]t| not)) (?:says?|gives?|names?|sets?|pass(?:es)?|sends?|states?|asks? for|chooses?|picks?) (?:an?|any|the) [\w.]+/giu,
  new RegExp(
    String.raw`\b(?:when|whenever|if|where|in case) ${WHO} (?:leaves?|skips?|omits?)(?: (?:it|that|this|them|\w+))?(?: out| away| empty| blank)?`,
    "giu",
  ),
  /\b(?:when|whenever|if|where|in case) (?:there is |we get |they give )?no [\w.]+(?: [\w.]+)? (?:is |was |has been )?(?:given|set|passed|sent|named|said|stated|specified|supplied|provided|asked for)/giu,
  /\b(?:when|whenever|if|where) (?:it|that|they|[\w.]+) (?:is|are|was|were) (?:left out|left empty|omitted|missing|absent|not (?:given|set|passed|sent|specified|stated))/giu,
];

/** Finds the words that say that something counts where nothing is given: "when the caller leaves it out". */
export function findDefaultCase(text: string, tokens: readonly Token[]): readonly (readonly number[])[] {
  return spansOf(text, CASES).map((span) => placesIn(tokens, span));
}

/** Finds where a text says when a default counts. */
export function defaultCases(text: string): readonly Span[] {
  return spansOf(text, [DEFAULT_CASE, ...CASES]);
}

/** A text without what only says when a default counts: "if nothing is given". */
export function withoutDefaultCase(text: string): string {
  const bare = text.replaceAll(DEFAULT_CASE, " ");
  // "If none is given and the caller is new" sets a condition besides.
  return CASES.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (found, ...more) => {
        const at = more.findLast((one): one is number => typeof one === "number") ?? 0;
        return JOINED.test(rest.slice(at + found.length)) ? found : " ";
      }),
    bare,
  );
}

function spansOf(text: string, patterns: readonly RegExp[]): readonly Span[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: said }) => ({ start: index, end: index + said.length })),
  );
}
