/** What may stand before a directive without meaning anything. */
const BEFORE =
  /^(?:(?:and|also|then|next|finally|now|so|hi|hello|hey|dear|ok|okay|cairn|architect|please|kindly|just|let's|lets|i think|i would like you to|i'd like you to|i want you to|we would like you to|we'd like you to|we want you to|i suggest to|we should|you should|could you|can you|would you|will you|could we|can we|first|second|third)[,:]? +)/i;
/** What may stand behind one. */
const BEHIND =
  /[ ,]+(?:please|thanks|thank you|thank you very much|many thanks|thx|for us|for me|now|again|as well|too)$/i;
/** Why somebody wants it. What follows is not read, so it must not say anything that is to be done. */
const REASON = / (?:because|since|as (?:it|they|we|users|people|that)|so that|which would|in order to)\b.*$/i;
const POLITE =
  /^(?:hi|hello|hey|dear|good morning|good day|please|thanks|thank you|thank you very much|many thanks|thx|cheers|yes|yeah|sure|okay|ok|agreed|and|and then|then|also|plus|best regards|kind regards|best|regards)(?:[ ,]+(?:there|all|cairn|architect|team|everyone|in advance|so much|a lot))*$/i;
/** Sentences that only say why, and headings of what follows. */
const ASIDE =
  /^(?:(?:this|that|it) (?:is|was) (?:because|why)\b|(?:the )?reason\b|because\b|(?:the|this|these) (?:following )?changes?$|(?:please )?(?:do|make|apply) (?:this|these|the following)(?: changes?)?$|as follows$|changes$)/i;
const END = /[ .!?:,;]+$/;
const ORDERS =
  /\b(?:and|then|also|but|please|,) +(?:also +)?(?:set|add|remove|delete|drop|make|change|raise|lower|promote|revert|reset|deprecate|point|roll|apply|grant|revoke|mark|undo|forget|replace|rename|give|allow|do|don't|never|only|unless|except|not)\b/i;

/** The sentence without its end mark, politeness around it and reasons behind it. */
export function trimSentence(sentence: string): string {
  let text = sentence.replaceAll(/\s+/g, " ").trim().replace(END, "");
  if (POLITE.test(text)) return "";
  const [reason = ""] = REASON.exec(text) ?? [];
  if (reason !== "" && !ORDERS.test(reason)) text = text.slice(0, -reason.length);
  for (let shorter = trimOnce(text); shorter !== text; shorter = trimOnce(text)) text = shorter;
  return text;
}

/** Whether a sentence asks for nothing. */
export function isPolite(text: string): boolean {
  return text === "" || POLITE.test(text) || (ASIDE.test(text) && !ORDERS.test(text));
}

function trimOnce(text: string): string {
  return text
    .replace(BEFORE, "")
    .replace(BEHIND, "")
    .replace(END, "")
    .replace(/ (?:and|then)$/, "");
}
