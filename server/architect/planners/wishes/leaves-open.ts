import { maskQuotations } from "../../message/find-quotations.ts";
import type { Heard } from "./heard.ts";
import type { Places } from "./places/places.ts";
import { stanceOf } from "./stance.ts";
import { STOP } from "./words/word-lists.ts";
import { toStems } from "./words/words.ts";

const DAYS =
  "(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september|october|november|december";
const SPANS = `week|weekend|month|quarter|year|sprint|release|spring|summer|autumn|winter|christmas|${DAYS}`;
/** Times of a wish that is for later, or for a while: "from Monday on", "next week". */
const LATER = new RegExp(
  [
    String.raw`\b(?:tomorrow|tonight|soon|some ?day|some ?time|eventually|in the (?:near )?future|in (?:a perfect|an ideal) world|later(?: on)?|for now|for the moment)\b`,
    String.raw`\b(?:next|coming|over the|during the|(?:on|from|by|starting|until|till|before|after|since) (?:next |the )?) ?(?:${SPANS})s?\b`,
    String.raw`\bin (?:${SPANS})\b|\bfor (?:a|one|two|the) (?:day|week|month|while)s?\b`,
    String.raw`\b(?:ab|bis|nächste\w*|kommende\w*) (?:morgen|nächste\w*|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|woche|monat|jahr|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|\bbald\b|\bvorübergehend\b`,
    String.raw`\bmañana\b|\bla (?:próxima semana|semana que viene)|\bel próximo (?:mes|año|lunes)|\ba partir (?:de|del) (?:mañana|lunes)|\bpronto\b`,
    String.raw`\bdemain\b|\bla semaine prochaine|\ble mois prochain|\bà partir (?:de|du) (?:demain|lundi)|\bbientôt\b`,
    String.raw`\b(?:am|an|übers?|jedes|an jedem) (?:wochenenden?|werktagen|wochentagen|feiertagen)\b|\b(?:los|el) fin(?:es)? de semana\b|\b(?:le|les) week-ends?\b`,
    "周末|明天|下周|下个?月|明年|以后再|过几天",
  ].join("|"),
  "iu",
);
/** Words of a sender who is not certain. */
const UNCERTAIN =
  /\b(?:maybe|perhaps|possibly|presumably|i (?:guess|suppose)|mostly|sometimes|usually|occasionally|partly|roughly|approximately|(?:about|around|circa|ca\.?|some) (?=\d)|or so|vielleicht|eventuell|ungefähr|etwa (?=\d)|quizás?|tal vez|más o menos|peut-être|environ)(?!\p{L})|也许|可能|大概|左右/iu;
const REASON = /\b(?:because|since (?!next)|weil|porque|parce que)\b.*$/isu;
/** A plea in the form of a question, in which "perhaps" is only polite. */
const POLITE =
  /[?？]\s*$|\b(?:could|would|can|might) (?:you|we|it|[\w.]+) (?:perhaps|maybe|possibly)\b|\b(?:wonder\w*|mind)\b/iu;

/** Words of a wish for some cases only: "but only on weekends", "just for the test". */
const LIMITED = new RegExp(
  [
    String.raw`(?:[,;:(–—-] ?|\b(?:but|and|that|this|it|which)(?: is|['’]s| should| must| may)? (?:be )?)(?:only|just|solely|exclusively) (?:be )?(?:meant )?(?:for|on|in|at|during|while|when|until|till|if|affects?|appl(?:y|ies)|concerns?)\b(?! \d| (?:our|my|the) (?:own )?(?:records?|information|reference|bookkeeping|statistics)\b)`,
    String.raw`[,;:(–—-] ?(?:(?:aber|und|pero|y|mais|et) )?(?:nur (?:für|bei|an|am|in|im|wenn|solange)|s[oó]lo (?:para|en|cuando|los|las)|seulement (?:pour|dans|en|quand|le|les))(?!\p{L})|(?:只|仅)(?:对|在|限)`,
    String.raw`\bfor (?:new|existing|some|certain|most|regular|returning|foreign|business|private|young|old|older|first-time) (?:customers|users|people|clients|members|guests|callers|visitors|patients|owners|pupils|drivers)\b`,
    String.raw`\bunless (?:some(?:one|body)|they|people|the caller|you) (?:asks?|wants?|says?) (?:for )?(?:an?other|a different) (?!one\b|number\b|value\b|amount\b|limit\b)\p{L}+`,
    // What contradicts it: "and keep all labels".
    String.raw`\band (?:keep (?:it|them|all|everything|the [\p{L} ]{2,30} as)|leave (?:it|them|all|everything)(?! (?:out|off|empty|to|with|optional))|(?:do|change|touch) nothing)\b|\bi\.e\.|\d ?ish\b|\bper (?:(?:night|shift|season|customer|guest|user)\b|\p{L}+ (?:and|per) (?:day|hour|minute|week|month)\b)`,
    String.raw`\bback-?port(?:s|ed)?\b|\b(?:every(?:body|one|thing)|all|any(?:body|one)) (?:bar|save|excluding|apart from|aside from|other than)\b`,
    // A copy of the repository, or a share of the callers.
    String.raw`\b(?:in|on|for|within) (?:the|an?|our|my|some|your) (?:[\p{L}'’-]+ ){0,2}(?:branch|fork|sandbox|draft|staging|test (?:system|environment|version|server|run|copy)|(?:staging|testing|development|dev|qa|preview|canary|production|prod) (?:environment|system|server|version|stage))\b(?! \p{L}*_)(?=\W*$|[,.;:]| (?:only|first|for now|should|must|please)\b)`,
    String.raw`\bfor (?:half|most|some|a (?:half|third|quarter|tenth|fifth|few|part|fraction|share|handful)|one in \p{L}+|\d+ ?(?:%|percent|per cent)) (?:of )?(?:the |our |all )?(?:callers|users|customers|people|clients|requests|traffic|calls|tenants|guests|members|visitors)\b`,
    // A rate counts the calls of each caller, whatever they are about.
    String.raw`\b(?:a|per|each|every) (?:minute|day)(?:,| and)? (?:per|for (?:each|every)) (?!callers?\b|principal|call\b|actor|tenant|user|client|tool)\p{L}+`,
    // Another repository than the one that is asked: "in the deploy repo", "in the sailing school's repository".
    String.raw`\b(?:in|of|at|from|for|to) (?!(?:this|our(?: own)?|the|my) repo)(?:\p{L}[\p{L}'’-]* ){1,3}(?:repo|repository)\b(?! \p{L}*_)(?=\W*$|[,.;:]| (?:should|must|may|can|needs?|not|please)\b)`,
  ].join("|"),
  "iu",
);
/** The people or times that a wish begins with: "for premium customers, set it to 0.5". */
const HEAD =
  /^\W*(?:for|on|during|in) (?:the |our |my )?([\p{L} -]{3,40}s|production|prod|staging|testing|canary), ?(?=\p{L})/iu;

/**
 * Tells whether a wish leaves open when it is meant, or whether it is, or is meant for some cases only: "raise it to 40 from Monday on",
 * "to about 0.7, I guess", "just for the test". What is done is done now, for all, and for good, so the sender is asked.
 */
export function leavesOpen(heard: readonly Heard[], { vocabulary }: Pick<Places, "vocabulary">): boolean {
  return heard.some((one) => {
    if (one.resolved?.kind !== "clear" && stanceOf(one) !== "asks") return false;
    const text = maskQuotations(one.sentence.text).replace(REASON, "");
    if (LIMITED.test(text)) return true;
    // What is deprecated goes later in any case.
    if (one.resolved?.drafts.some(({ name }) => name.startsWith("deprecate ")) === true) return false;
    const [, head] = HEAD.exec(text) ?? [];
    // "For operators, ..." names a role, and "for tools, ..." what the agent has.
    const isForSome = head !== undefined && toStems(head).some((stem) => !vocabulary.has(stem) && !STOP.has(stem));
    return isForSome || LATER.test(text) || (UNCERTAIN.test(text) && !POLITE.test(text));
  });
}
