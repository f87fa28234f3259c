import { toBare } from "../../message/find-mood.ts";

/** Reason of a wish, which is not read further and so must hold no order. */
const REASON = / (?:because|since|as (?:it|they|we|users|people|that)|so that|which would|in order to)\b.*$/i;
/** What is deprecated says why to its callers. */
const EXPLAINED = /\bdeprecate/i;
const POLITE =
  /^(?:hi|hello|hey|dear|good morning|good day|please|thanks|thank you|thank you very much|many thanks|thx|cheers|yes|yeah|sure|okay|ok|agreed|and|and then|then|also|plus|best regards|kind regards|best|regards)(?:[ ,]+(?:there|all|cairn|architect|team|everyone|in advance|so much|a lot))*$/i;
/** Under a message stands who has written it. */
const SIGNATURE =
  /^(?:(?:[Bb]est|[Kk]ind|[Ww]arm|[Mm]any) )?(?:[Rr]egards|[Ww]ishes|[Gg]reetings|[Cc]heers|[Tt]hanks|[Ss]incerely|[Yy]ours|[Bb]est)[,!]? \p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,2}$/u;
const END = /[ .!?:,;]+$/;
/** Sentences that only say why, and headings of what follows. */
const ASIDE =
  /^(?:(?:this|that|it) (?:is|was) (?:because|why)\b|(?:the )?reason\b|because\b|(?:the|this|these) (?:following )?changes?$|(?:please )?(?:do|make|apply) (?:this|these|the following)(?: changes?)?$|as follows$|changes$)/i;
/** Begins a sentence, or its end, that says why something is so. */
const WHY = /^(?:because|(?:this|that|it) (?:is|was) (?:because|why))\b|(?:^|[,;(] *)(?:the )?reason\b/i;
const ORDERS =
  /\b(?:and|then|also|but|please|,) +(?:also +)?(?:set|add|remove|delete|drop|make|change|raise|lower|promote|revert|reset|deprecate|point|roll|apply|grant|revoke|mark|undo|forget|replace|rename|give|allow|do|don't|never|only|unless|except|not)\b/i;

/** The sentence without its end mark, politeness around it and reasons behind it. */
export function trimSentence(sentence: string): string {
  const text = sentence.replaceAll(/\s+/g, " ").trim();
  if (POLITE.test(text.replace(END, "")) || SIGNATURE.test(text.replace(END, ""))) return "";
  const [reason = ""] = REASON.exec(text) ?? [];
  const claim = reason === "" || ORDERS.test(reason) || EXPLAINED.test(text) ? text : text.slice(0, -reason.length);
  return toBare(claim).replace(/ (?:and|then)$/, "");
}

/** Checks that a sentence asks for nothing. */
export function isPolite(text: string): boolean {
  return text === "" || POLITE.test(text) || (ASIDE.test(text) && !ORDERS.test(text));
}

/** Tells whether a sentence says why what another wants to deprecate ends: callers are to read that, so it is more than polite. */
export function explainsEnd(sentences: readonly string[]): boolean {
  return sentences.some((text) => EXPLAINED.test(text)) && sentences.some((text) => WHY.test(text));
}
