import { isForeignDoubt } from "../../../message/find-application.ts";
import { speaksForOthers, toWords } from "../../../message/find-mood.ts";
import { maskQuotations } from "../../../message/find-quotations.ts";
import type { Sentence } from "../../../message/message.ts";
import { OPEN } from "./says-only-that.ts";

const LEAD = String.raw`^\W*(?:(?:please|pls|plz|kindly|and|so|then|also|now|could you|can you|would you|will you|bitte)\W+)*`;
const VERBS =
  "apply|add|put|merge|insert|paste|include|set|use|make|adopt|bring|write|append|take over|übernimm|ergänze|füge|trage|setze|añad\\w*|agreg\\w*|aplic\\w*|pon|ajout\\w*|appliqu\\w*|mets|mettez";
/** An order whose object stands below: "add this to the access policy", "please make it look like this". */
const ORDER = new RegExp(
  `${LEAD}(?:${VERBS})(?= |[:：])(?:.*(?<!\\p{L})(?:this|these|that|those|it|following|below|so|das|dies\\w*|folgende\\w*|esto|estos|ceci|to|into|in|among|under|for|zu|en|a|à|dans)(?!\\p{L}))?`,
  "iu",
);
/** "annotations for search_tickets, please add:" */
const LATE = new RegExp(`,\\s*(?:please|pls|plz|bitte) (?:${VERBS})(?: (?:this|these|it|them))?\\s*[:：]$`, "iu");
/** "... , so in access.yaml:", "this goes into access.yaml:" */
const PLACED =
  /(?:^|[,;–-]\s*)(?:(?:so|and|then|therefore|hence|please|pls|now)[ ,]+)+(?:in|into|for) (?:the )?[\w./-]+\s*[:：]$|(?:^|[,;–-]\s*)(?:so |and |therefore )*(?:this|these|it|the following) (?:goes|go|belongs|belong) (?:in|into|to|under|below|with)\b[^:：]*[:：]?$/iu;

/** Tells whether a sentence of the sender orders to put what stands beside it where the words say, and leaves nothing open. */
export function putsBlock({ text, mood }: Sentence): boolean {
  const masked = maskQuotations(text.replace(/\{.*$/s, ""))
    .replaceAll(/\blook(?:s|ing)? after\b/giu, "mind")
    .trim();
  if (mood === "negation" || mood === "condition" || OPEN.test(masked) || isForeignDoubt(masked)) return false;
  if (mood === "question" && !/^\W*(?:could|can|would|will) you\b/iu.test(masked)) return false;
  if (PLACED.test(masked)) return true;
  return !speaksForOthers(toWords(masked)) && (ORDER.test(masked) || LATE.test(masked));
}
