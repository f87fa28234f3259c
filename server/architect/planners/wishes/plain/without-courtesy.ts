import { maskQuotations } from "../../../message/find-quotations.ts";

const GREETING =
  /^\s*(?:(?:(?:hi|hiya|howdy|hello|hey|dear|happy (?:mon|tues|wednes|thurs|fri|satur|sun)day|greetings|to whom it may concern|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|hola|estimad[oa]s?|querid[oa]s?|chère?s?|chers|buenos días|buenas(?: tardes)?|bonjour|bonsoir|salut)(?!\p{L})[^.!?,:;\n\d"'`_]{0,30}(?:[,.!，]|[–-](?=\s)|\n))\s*)+/iu;
const APOLOGIES = [
  String.raw`sorry (?:to|for) (?:bother|disturb|troubl)[^.!?,;:\n\d]*(?:[.!]|,(?: but)?|:|(?=\n|$))`,
  String.raw`sorry (?:to|for|about) (?:come back|ask|nag|pester|be back|(?:all )?(?:the|this)(?: extra)? (?:work|noise|trouble|bother|hassle))[^.!?,;:\n\d"'\x60_]{0,40}[.!]`,
  String.raw`(?:i )?hope (?:this|that|you|all|everybody|everyone)[^.!?;\n\d]{0,50}(?:[.!]|,(?: but)?|(?=\n|$))`,
  String.raw`i (?:don['’]t|do not) (?:want|mean) to (?:be a nuisance|bother|disturb|nag)[^.!?,;\n\d]*,? but\b,?`,
  String.raw`i (?:was|am|['’]m|have been) (?:just )?wondering (?:if|whether) (?:it (?:might|would|could|may) (?:perhaps )?be (?:at all )?(?:possible|feasible|okay|ok) to|(?:you|we) (?:could|might|can) (?:perhaps )?)(?=\s)`,
  String.raw`(?:sorry|apologies) for (?:the|my|this) (?:short notice|late [\p{L}-]+|delay|typos|length|long [\p{L}-]+)[.!,]`,
  String.raw`(?:quick one|as ?ap(?:,? please)?|small thing(?:, big help)?):`,
  String.raw`no (?:rush|hurry)(?: at all)?[.!,]?|take your time[.!]?`,
];
/** "If it isn't too much trouble" sets no condition. */
const CONDITIONS = [
  String.raw`(?:if|when|whenever|as soon as) (?:it(?: is|['’]s)(?:n['’]t| not)? (?:not |no )?(?:too much |any |much )?(?:of a )?(?:trouble|bother|work|hassle|to ask)|it(?: is|['’]s) (?:at all )?(?:possible|ok|okay|convenient)|possible|at all possible|you (?:have|find|get|can spare) (?:a|some|the)(?: spare| free| quiet)? (?:minute|moment|second|chance|time)(?: to spare)?|(?:one|any) of you has (?:a|some)(?: spare| free| quiet)? (?:minute|moment|second|time)|you don['’]t mind|i may ask|time permits|that(?: is|['’]s) (?:ok|okay|possible|all right))(?: (?:for|with) you)?(?=[,:;.!?–-]|\s|$),?`,
  String.raw`(?:wenn|falls) (?:es (?:euch |dir |ihnen )?(?:nichts ausmacht|keine umstände macht|möglich ist)|ihr zeit habt|du zeit hast|möglich),?`,
  String.raw`(?:si|cuando) (?:es posible|no es molestia|tenéis (?:un momento|tiempo)|tienes (?:un momento|tiempo)),?`,
  String.raw`(?:si|quand) (?:c['’]est possible|possible|cela ne vous dérange pas|ça ne vous dérange pas|vous avez (?:un moment|le temps)),?`,
];
/** Thanks, praise and announcements that stand before a wish: "One small wish, if I may:". */
const LEADS = [
  String.raw`(?:just )?(?:one|a) (?:more |last |further )?(?:(?:small|little|tiny|quick|modest|humble) )?(?:wish|request|plea|favou?r|thing|question)(?: (?:from me|of mine|to ask))?(?:, if i may)?:`,
  String.raw`(?<=^\W*)(?:and )?(?:thanks|thank you)(?: (?:so|very) much| a lot)? for (?:the|your|all) (?![^.!?]*\b(?:but|could|can|would|please|should|must|so)\b)[^.!?;:\n\d"'\x60_]{3,80}[.!](?=\s+\S)`,
  String.raw`(?<=^\W*)what an? (?:lovely|great|nice|fine|wonderful|useful|clever|handy) [^.!?,;:\n\d"'\x60_]{2,40}[.!](?=\s+\S)`,
];
/** Kinds of wish, and where one comes from, before a colon: "Feature request:", "Action item from the retro:". */
const ANNOUNCED = String.raw`(?<=^\W*)(?![^:]*\b(?:reject|declin|den(?:y|ied)|dismiss|withdr|old|former|previous|closed|stale|obsolete|other|not|never|no longer|fake|spam)\w*\b)(?:[\p{L}'’-]+ ){0,4}(?:(?:request|wish|improvement|feedback|action item|follow-?up|high priority|urgent)(?: (?:from|of|for) [\p{L}'’ -]{2,40})?|(?:from|in) (?:the|our|today['’]s) (?:[\p{L}-]+ )?(?:planning|retro|stand-?up|meeting|session|call|round)(?: session| round| meeting| call)?|(?:nothing fancy|short one)(?: today)?|to make things (?:clearer|easier)[\p{L} ]{0,20}|in the interest of [\p{L}]+|speaking for our [\p{L}]+)[:,](?=\s)`;
/** Beginnings of a question for what somebody or something could do. */
const WOULD_BE = String.raw`(?:would|will|might) it be (?:at all |perhaps )?(?:all right|alright|ok|okay|fine|possible|acceptable|too much to ask)(?: (?:for|with) you)?`;
const WELCOME = String.raw`(?:(?:i|we|(?:the|our) [\p{L} -]{3,30}?)(?:['’]d| would| should) be (?:(?:very|most|so|really|ever so|extremely) )*(?:grateful|thankful|glad|happy|delighted|obliged|pleased)|it (?:would|['’]d) be (?:(?:very|really|so|absolutely) )*(?:great|nice|lovely|wonderful|good|kind|helpful|fantastic|brilliant|handy|much appreciated))`;
/** What stands for "could" in a wish that is only imagined, with what follows it. */
const IMAGINED: Readonly<Record<string, string>> = {
  were: "be",
  was: "be",
  had: "have",
  became: "become",
  took: "take",
  got: "get",
  gave: "give",
  came: "come",
  went: "go",
};
const SUBJECT = String.raw`(?:[^,;:.!?\n]|\.(?=\w))`;
/** "I'd be grateful if the role could get it", and "would it be possible for the role to get it". */
const ASKED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${WOULD_BE}|${WELCOME}),? if (?<subject>${SUBJECT}{1,60}?) (?:could|might|can|may|(?<verb>were|was|had|became|took|got|gave|came|went|cost|\p{L}{3,}ed))|${WOULD_BE} for (?<other>(?!(?:it|this|that|these|those)\b)${SUBJECT}{1,60}?) to)(?= )`,
  "giu",
);
/** "Would you be so kind as to let the role ..." */
const KINDLY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${WOULD_BE} to|(?:would|could|will|might) you (?:please )?(?:be so (?:kind|good|nice)|be (?:kind|good) enough|have the kindness)(?: as)? to|(?:may|might|can|could) (?:i|we) (?:(?:kindly|please|perhaps) )?ask you to)(?= )`,
  "giu",
);
const FRENCH_KINDLY =
  /(?<!\p{L})auriez-vous (?:la (?:gentillesse|bonté)|l['’](?:amabilité|obligeance)) (?:de |d['’])/giu;
const COURTESY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${[...APOLOGIES, ...LEADS, ANNOUNCED, ...CONDITIONS].join("|")})\s*`,
  "giu",
);
const FAREWELL =
  /(?:(?<=[.!?,;\n])|\s[–—-]{1,2}(?=\s))\s*(?:(?:have (?:a|an) )?(?:(?:great|good|nice|lovely|wonderful|pleasant|happy) )+(?:day|evening|morning|weekend|week|afternoon|one)[.!]*|keep up the (?:good|great) work[.!]*|sent from my \p{L}+[.!]?|yours (?:sincerely|truly|faithfully),?[^\d.!?]{0,40}|greetings (?:from|to) [^\d.!?]{0,40}[.!]?|great tool, by the way[.!]*|sorry for (?:the|typing|writing)[^\d.!?]{0,40}[.!]?|apologies for [^\d.!?]{0,40}[.!]?|(?:many |with |much )?(?:thanks|thank you|thx|cheers|ta|vielen dank|danke|merci|(?:muchas )?gracias)(?!\p{L})(?:[^.!?\n\d"'`_]|(?<=\p{L})['’](?=\p{L})){0,60}[.!]*|(?:and )?thanks for [^.!?\n\d"'`_]{0,60}[.!]*|(?:with )?(?:kind(?:est)?|best|warm(?:est)?|many) (?:regards|wishes)[^\d.!?]{0,40}[.!]?|(?:regards|all the best),[^\d.!?]{0,40}|(?:viele |liebe |beste |mit freundlichen )grüße[^\d.!?]{0,40}|un saludo[^\d.!?]{0,40}|(?:bien )?cordialement[^\d.!?]{0,40}|(?:i|we)(?:['’]d| would) be (?:very |most |so |really )*(?:grateful|thankful)[.!]*|(?:much|greatly) appreciated[.!]*|you(?:['’]re| are) (?:the best|great|wonderful|stars?|a star)[.!]*|[:;]-?[)D]|🙏|🙂|😊)\s*$|\s*\((?:(?:many |with )?(?:thanks|thank you|thx|cheers|greetings)(?!\p{L})[^()\d"'`_]{0,40})\)\s*$/iu;

/**
 * A message without greetings, apologies, thanks and regards around what it says: they are no reason to ask what is meant. A message of
 * nothing else stays as it is, and so does what is quoted.
 */
export function withoutCourtesy(message: string): string {
  let text = cut(message, GREETING);
  text = cut(text, COURTESY);
  text = replaceUnquoted(text, ASKED, ({ groups = {} }) => {
    const { subject, other, verb = "" } = groups;
    return `could ${subject ?? other ?? ""} ${IMAGINED[verb.toLowerCase()] ?? verb}`.trimEnd();
  });
  text = replaceUnquoted(text, KINDLY, () => "could you");
  text = replaceUnquoted(text, FRENCH_KINDLY, () => "pourriez-vous ");
  for (let shorter = cut(text, FAREWELL); shorter !== text; shorter = cut(text, FAREWELL)) text = shorter;
  return text.trim() === "" ? message : text.replace(/^[\s:,]+/u, "");
}

function cut(text: string, pattern: RegExp): string {
  const shorter = replaceUnquoted(text, pattern);
  return shorter.trim() === "" ? text : shorter;
}

/** Removes what a pattern matches outside of quotations, or puts something else in its place. */
function replaceUnquoted(
  text: string,
  pattern: RegExp,
  instead: (found: RegExpExecArray) => string = () => "",
): string {
  const masked = maskQuotations(text);
  let kept = "";
  let at = 0;
  for (const found of pattern.global ? masked.matchAll(pattern) : toArray(pattern.exec(masked))) {
    kept += `${text.slice(at, found.index)}${instead(found)}`;
    at = found.index + found[0].length;
  }
  return kept + text.slice(at);
}

function toArray<T>(one: T | null): readonly T[] {
  return one === null ? [] : [one];
}
