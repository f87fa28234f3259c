import { maskQuotations } from "../../message/find-quotations.ts";

const GREETING =
  /^\s*(?:(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|hola|estimad[oa]s?|querid[oa]s?|chère?s?|chers|buenos días|buenas(?: tardes)?|bonjour|bonsoir|salut)(?!\p{L})[^.!?,:;\n\d"'`_]{0,30}(?:[,.!，]|[–-](?=\s)|\n))\s*)+/iu;
const APOLOGIES = [
  String.raw`sorry (?:to|for) (?:bother|disturb|troubl)[^.!?,;:\n\d]*(?:[.!]|,(?: but)?|:|(?=\n|$))`,
  String.raw`(?:i )?hope (?:this|that|you|all|everybody|everyone)[^.!?;\n\d]{0,50}(?:[.!]|,(?: but)?|(?=\n|$))`,
  String.raw`i (?:don['’]t|do not) (?:want|mean) to (?:be a nuisance|bother|disturb|nag)[^.!?,;\n\d]*,? but\b,?`,
  String.raw`i (?:was|am|['’]m|have been) (?:just )?wondering (?:if|whether) (?:it (?:might|would|could|may) (?:perhaps )?be (?:at all )?(?:possible|feasible|okay|ok) to|(?:you|we) (?:could|might|can) (?:perhaps )?)(?=\s)`,
  String.raw`no (?:rush|hurry)(?: at all)?[.!,]?|take your time[.!]?`,
];
/** "If it isn't too much trouble" sets no condition. */
const CONDITIONS = [
  String.raw`(?:if|when|whenever|as soon as) (?:it (?:is|['’]s)(?:n['’]t| not)? (?:not )?(?:too much |any |much )?(?:of a )?(?:trouble|bother|work|hassle|to ask)|it(?: is|['’]s) (?:at all )?(?:possible|ok|okay|convenient)|possible|at all possible|you (?:have|find|get|can spare) (?:a|some|the)(?: spare| free| quiet)? (?:minute|moment|second|chance|time)|you don['’]t mind|i may ask|time permits|that(?: is|['’]s) (?:ok|okay|possible|all right))(?: (?:for|with) you)?(?=[,:;.!?–-]|\s|$),?`,
  String.raw`(?:wenn|falls) (?:es (?:euch |dir |ihnen )?(?:nichts ausmacht|keine umstände macht|möglich ist)|ihr zeit habt|du zeit hast|möglich),?`,
  String.raw`(?:si|cuando) (?:es posible|no es molestia|tenéis (?:un momento|tiempo)|tienes (?:un momento|tiempo)),?`,
  String.raw`(?:si|quand) (?:c['’]est possible|possible|cela ne vous dérange pas|ça ne vous dérange pas|vous avez (?:un moment|le temps)),?`,
];
const COURTESY = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${[...APOLOGIES, ...CONDITIONS].join("|")})\s*`, "giu");
const FAREWELL =
  /(?<=[.!?,;\n])\s*(?:(?:many |with |much )?(?:thanks|thank you|thx|cheers|ta|vielen dank|danke|merci|(?:muchas )?gracias)(?!\p{L})[^.!?\n\d"'`_]{0,60}[.!]*|(?:and )?thanks for [^.!?\n\d"'`_]{0,60}[.!]*|(?:with )?(?:kind(?:est)?|best|warm(?:est)?|many) (?:regards|wishes)[^\d.!?]{0,40}|regards,[^\d.!?]{0,40}|(?:viele |liebe |beste |mit freundlichen )grüße[^\d.!?]{0,40}|un saludo[^\d.!?]{0,40}|(?:bien )?cordialement[^\d.!?]{0,40}|(?:i|we)(?:['’]d| would) be (?:very |most |so |really )*(?:grateful|thankful)[.!]*|(?:much|greatly) appreciated[.!]*|[:;]-?[)D]|🙏|🙂|😊)\s*$/iu;

/**
 * A message without greetings, apologies, thanks and regards around what it says: they are no reason to ask what is meant. A message of
 * nothing else stays as it is, and so does what is quoted.
 */
export function withoutCourtesy(message: string): string {
  let text = cut(message, GREETING);
  text = cut(text, COURTESY);
  for (let shorter = cut(text, FAREWELL); shorter !== text; shorter = cut(text, FAREWELL)) text = shorter;
  return text.trim() === "" ? message : text.replace(/^[\s:,]+/u, "");
}

function cut(text: string, pattern: RegExp): string {
  const shorter = replaceUnquoted(text, pattern);
  return shorter.trim() === "" ? text : shorter;
}

/** Removes what a pattern matches outside of quotations. */
function replaceUnquoted(text: string, pattern: RegExp): string {
  const masked = maskQuotations(text);
  let kept = "";
  let at = 0;
  for (const { index, 0: said } of pattern.global ? masked.matchAll(pattern) : toArray(pattern.exec(masked))) {
    kept += text.slice(at, index);
    at = index + said.length;
  }
  return kept + text.slice(at);
}

function toArray<T>(one: T | null): readonly T[] {
  return one === null ? [] : [one];
}
