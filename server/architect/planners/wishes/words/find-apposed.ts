import type { Token } from "./words.ts";

const ITEM = String.raw`["'“„«\x60]?[\p{L}\d][\p{L}\d_-]*["'”»\x60]?`;
const LIST = String.raw`${ITEM}(?:\s*(?:,|\+|&|\/|、|(?<![\p{L}\d])(?:and|und|y|et)(?![\p{L}\d])|和)\s*${ITEM})*`;
/** Ends a list of new values. */
const END = String.raw`(?=\s*(?:[,.;!)]|$|(?<![\p{L}\d])(?:besides?|beside|next to|in addition|alongside|as well|along with|on top of|please|pls|neben|además|junto|en plus|à côté)(?![\p{L}\d])))`;
const ONE_MORE = String.raw`(?:another|an? (?:new|additional|further|extra|second|third|fourth|fifth|sixth|\d+(?:nd|rd|th))|one more|two more|new|eine[nr]? (?:weitere[nrs]?|neue[nrs]?|dritte[nrs]?|vierte[nrs]?)|un[ea]? (?:nuev[oa]|tercera?|tercero|cuart[oa]|nouve(?:au|lle)|troisième|quatrième|autre)|otr[oa])`;
const LACKING = String.raw`(?:missing|lacking|absent|fehlt|fehlen|falta|faltan|manque|manquent)`;
/** Where a message sets words apart as values that there are not yet. */
const APPOSED: readonly RegExp[] = [
  // "a third value, pending, besides success and failure"
  new RegExp(
    String.raw`(?<![\p{L}\d])${ONE_MORE}(?: [\p{L}]+){1,3}?\s*[,:–(-]\s*(?:namely |called |named |nämlich )?(?<list>${LIST})${END}`,
    "iu",
  ),
  // "medium is missing among the lengths", "incoterms: CPT + CIP missing"
  new RegExp(
    String.raw`(?:^|[.;:,]\s*)(?<list>${LIST}) (?:(?:is|are) )?(?:still )?${LACKING}(?=\s*(?:[.,;!]|$|(?:among|amongst|in|from|as|for|unter|bei|als|entre|en|parmi|dans) ))`,
    "iu",
  ),
  // "... is missing two things, dental and grooming"
  new RegExp(
    String.raw`(?:missing|lacks?|misses)(?: [\p{L}']+){0,9}?\s*[,:]\s*(?<list>${LIST})(?=\s*(?:[.;!]|$))`,
    "iu",
  ),
];

/** The words that a text sets apart as values that something is to have besides, by their position. */
export function findApposed(text: string, tokens: readonly Token[]): readonly number[] {
  for (const pattern of APPOSED) {
    const match = pattern.exec(text);
    const list = match?.groups?.["list"];
    if (match === null || list === undefined) continue;
    const start = match.index + match[0].lastIndexOf(list);
    const end = start + list.length;
    const isItem = ({ kind, lower }: Token) => kind !== "sign" && !/^(?:and|und|y|et|和)$/.test(lower);
    return tokens.flatMap((token, at) => (token.start >= start && token.end <= end && isItem(token) ? [at] : []));
  }
  return [];
}
