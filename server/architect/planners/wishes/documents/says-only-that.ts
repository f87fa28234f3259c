import { isForeignDoubt, isScope, onlyApplies } from "../../../message/find-application.ts";
import { speaksForOthers, toWords } from "../../../message/find-mood.ts";
import { maskQuotations } from "../../../message/find-quotations.ts";
import type { Message, Sentence } from "../../../message/message.ts";
import { ownSentences } from "../../../message/read-message.ts";
import { isPolite, trimSentence } from "../../directives/politeness.ts";

/** Words with which a sentence may leave open whether something is wanted. */
export const OPEN =
  /\b(?:not|no|never|only|but|however|except|unless|if|maybe|perhaps|might|wait|later|yet|first|until|once|after|before|idea|suggest\w*|propos\w*|example)\b|n['\u2019]t\b/i;

/** Checks that the sentences of a message say to apply its blocks, or what is meant by them, what stays, and otherwise only tell something. */
export function saysOnlyThat(message: Message, isMeant: (sentence: Sentence) => boolean = () => false): boolean {
  return ownSentences(message).every((one) => isMeant(one) || isBeside(one));
}

function isBeside({ text, mood }: Sentence): boolean {
  const masked = maskQuotations(text);
  if (onlyApplies(masked) || isScope(masked) || isPolite(trimSentence(text))) return true;
  return mood === "report" && !speaksForOthers(toWords(masked)) && !OPEN.test(masked) && !isForeignDoubt(masked);
}
