import { maskQuotations } from "../../message/find-quotations.ts";

/** Verbs of changes, as they are spoken of: "setting it to 6". */
const GERUND =
  "(?:sett|rais|lower|remov|dropp|add|promot|chang|increas|reduc|decreas|cutt|deprecat|giv|lett|allow|renam|mak|mov|delet|grant|revok|tak|putt|bump|switch|extend|shorten|requir|tun)ing";
const CHANGING =
  "(?:rais|lower|set|chang|increas|reduc|decreas|bump|cut|mov|drop|remov|delet|add|renam|updat|tweak|adjust|switch|promot|mak|deprecat|giv|mark|put|grant|revok|extend|shorten)(?:e|p?ing|t?ting)?\\b";
/** Words that may stand before what a sentence asks for. */
const POLITE = String.raw`^\W*(?:(?:please|pls|plz|kindly|hi|hey|so|and|also|ok|well|someone|somebody|i|we|you|can you|could you|let['’]?s|p\.?s\.?)\W+)*`;
/** Beginnings of sentences that speak of a change, and ask for something else or for nothing. */
const LEADS = new RegExp(
  POLITE +
    String.raw`(?:` +
    [
      String.raw`(?:simulate|verify|prove|compare|analy[sz]e|review|justify|debate|estimate|picture|imagine|pretend|forgot to|document that|help (?:me|us) (?:understand|see|decide)|check (?:if|whether|that|how|why))(?!\p{L})`,
      String.raw`make sure (?:that )?(?:nobody|no ?one|none)\b`,
      String.raw`ask (?!for\b)[\p{L}' ]{2,30} (?:about|if|whether|for)\b`,
      String.raw`(?:many |lots of |a big )?(?:thanks|thank you|thx|ty|cheers|kudos|hooray|hurray|hats off|congrats|congratulations|credit|props)(?: (?:to|for|on)\b| a lot for\b)`,
      String.raw`(?:well done|good job|nice work|great work|good work|glad|happy|delighted|pleased|relieved) (?:to see|that|with|about|on|${GERUND})\b`,
      String.raw`(?:really |just |we |i )?(?:love|loved|loving|like|liked|adore|enjoy) (?:the|that|how|your|our) new\b`,
      String.raw`(?:doubt|can['’]?t believe|cannot believe|would rather not|['’]d rather not|am not sure|fear)\b`,
      String.raw`(?:there(?:['’]s| is| was) |i see |see )?(?:no|not any|little) (?:need|reason|point) (?:to|in|for) ${CHANGING}|no longer (?:want|wish|need|plan|intend|have) (?:you )?to ${CHANGING}`,
      String.raw`(?:['’]?m |am |are |['’]?re )?(?:so |very )?(?:glad|happy|relieved|pleased) (?:that )?(?:you|we|they|nobody) (?:did|do|have|has|had)(?:n['’]?t| not|)\b|(?:would|['’]?d) (?:rather|prefer(?: it)?(?: if)?) (?:you|we|they|nobody) (?:did|do|would)(?:n['’]?t| not)\b`,
      String.raw`(?:stop|quit|cease) (?:telling|asking|begging|urging|advising|inviting|getting) (?:people|us|them|everybody|\p{L}+) to\b|never ${CHANGING}`,
      String.raw`no way\b|anything rather than\b|anything but\b|rather than [^,]+, (?:i|we)(?: would|['’]d) sooner\b|part of me\b`,
      // "Oh sure, ..." is irony.
      String.raw`(?:oh|yeah|mais|na|ja)[, ]+(?:sure|right|great|of course|bien sûr|klar|sicher)\b`,
      String.raw`(?:just|only|solely|exclusively) for (?:the |our |my )?(?!\w*[_.]\w)\p{L}+(?: \p{L}+){0,2}, `,
      String.raw`(?:would |['’]?d )?(?:like|love|want|need) to (?:hear|see|get|know|ask|discuss|check|think|understand)\b[^.!?]*\bbefore (?:we|i|you|any(?:body|one))\b`,
    ].join("|") +
    ")",
  "iu",
);
/** A change as the subject of a judgement: "Setting it to 6 is out of the question". */
const SPOKEN_OF = new RegExp(
  String.raw`^\W*${GERUND}\b[^!?]*?\b(?:is|are|was|were|would|will|might|may|could|makes?|seems?|sounds?|breaks?|costs?)\b(?! (?:\w+ )?(?:help|be (?:\w+ )?(?:great|nice|good|useful|lovely|helpful|handy|welcome|appreciated|perfect|better|best)|needed|necessary|overdue|due|possible)|(?<=makes) (?:\w+ ){0,3}?(?<!no )sense)`,
  "iu",
);
/** What others have written or decided, by what stands before it, and trials. */
const HEAD =
  /^\W*(?:test|testing|todo|wip|fyi|demo|done(?: already)?|wontfix|rejected|declined|denied|not|quote|agenda|minutes[^:]{0,30}|change ?log[^:]{0,30}|history[^:]{0,30}|commit message|pending [^:]{1,30}|(?:the |this |an? )?(?:ticket|issue|e-?mail|note|log|memo|sign|docs?|spec|message|changelog) (?:reads?|says?|said)|(?:someone|somebody|people|they|he|she) (?:typed|wrote|said|says)|(?:rejected|declined|old|dismissed|withdrawn|previous) (?:proposal|idea|request|ticket|wish|change|plan)s?[^:]{0,30})\s*(?:[:\]–—]|-\s)|^\s*todo\b|^没有?必要(?!填|给|写|传)|^\s*~~[^]*~~\s*$/iu;
const TAIL =
  /(?:[:[(–—-]\s*)(?:rejected|won['’]?t ?fix|declined|denied|not done|obsolete)\W*$|\b(?:is|was) what (?:\p{L}+ ){1,4}(?:said|says|wants?|wanted|suggest(?:s|ed)|propos(?:es|ed)|ask(?:s|ed) for|thinks?|thought|wrote|told us|demands?|demanded)\b|\b(?:words|idea|wish|proposal), not (?:mine|ours)\b|\bwas (?:a|only a|just a) joke\b|\bmy foot\b|, (?:but )?(?:we|i|they) (?:should|must|ca)(?:n['’]t| not)\W*$|\b(?:every|any)(?:one|body) else (?:must|should|has to|may|can) keep\b/iu;
/** Wishes and intentions of somebody else. */
const ELSE =
  /^\W*(?!(?:it|this|that|we|i|you|there)\b)\p{L}+ (?:is|are) going to \p{L}+|\b(?:hat|haben) (?:gemeint|gesagt|behauptet|vorgeschlagen)\b|^\W*(?:\p{L}+ ){1,3}(?:sagt|meint|findet|behauptet)(?: immer| ständig| dauernd)?,|\b(?:vetoed|turned down|(?:voted|decided|opted|spoke|spoken|are|is|am|was|were) against|ruled out|(?:decided|chose|agreed) not to)\b/iu;
/** A plea in the same sentence: "thanks for the tool, please raise the limit". */
const PLEA = /[,;:.!–—-]\s*(?:but |and |so |now )*(?:please|pls|plz|bitte|(?:can|could|would) you)\b/iu;

/**
 * Tells whether a sentence only seems to ask for a change: it thanks for one, judges it, wants it looked at, or passes on what somebody else
 * said or decided ("Thanks for setting it to 6", "Setting it to 6 is out of the question", "Rejected proposal: set it to 6").
 */
export function isUnmeant(text: string): boolean {
  const masked = maskQuotations(text);
  if (PLEA.test(masked)) return false;
  return HEAD.test(text) || TAIL.test(text) || [LEADS, SPOKEN_OF, ELSE].some((pattern) => pattern.test(masked));
}

/** The sentence that leads to what follows a colon. */
const LEAD = /^(?:[^:：\n]*[.!?]\s)?\W*([^:：\n"'“”‘’\x60.!?]{3,90}?)\s*[:：]\s/u;
/** Leads that put off what follows, or say that it is done, gone or only thought about. */
const PUTS_OFF = new RegExp(
  [
    String.raw`\b(?:(?:do|must|should|need|shall|can|will)(?: please)? not|don['’]?t|never|not(?: to)?) (?:do|merge|apply|change|touch|carry|act|implement|take|put|make|set|use|ship|land|execute|follow|start|answer|run|try)\b`,
    String.raw`\bnot (?:yet|now|today|wanted|meant|agreed|decided|planned|approved|done|for you|urgent enough)\b`,
    String.raw`\b(?:done|did|finished|landed|shipped|merged|happened) (?:already|yesterday|today|this|last|in|on|by|with)\b|\balready\b|\byesterday\b|\blast (?:week|month|year|quarter|spring|summer|autumn|fall|winter)\b`,
    String.raw`\b(?:was|is|were|would be) (?:just |only )?(?:a|an) (?:mistake|error|joke|test|draft|thought|idea|disaster|question)\b|\b(?:we|i|they) (?:once |already |have |had )*(?:tried|considered|discussed|rejected|declined|reverted|undid|dropped the idea)\b`,
    String.raw`\b(?:next|some|one) (?:week|month|quarter|year|day|time|release)\b|\b(?:later|tomorrow|eventually|undecided|open|pending|to (?:discuss|decide|think about|consider|be (?:decided|discussed|confirmed))|(?:decide|vote|think|talk) (?:on|about))\b`,
    String.raw`\bwhat (?:would|will|could|might) (?:happen|become|break|change)\b|\b(?:ideas?|thoughts?|draft|drafts|proposal|proposals|example of a (?:message|wish)) (?:for|of|about|by|from)\b`,
    // What is to be done with what follows is something else: "Explain this to me", "Write a ticket", "I dreamt of this".
    String.raw`^(?:\p{L}+ ){0,2}(?:explain|describe|discuss|compare|summari[sz]e|translate|rephrase|review|check|verify|test|simulate|consider|read|forward|remember|imagine|suppose|picture|answer|reply) (?:this|that|it|these|the following|what follows|me|us|to|whether|if|how|why)\b`,
    String.raw`^(?:\p{L}+ ){0,2}(?:write|open|file|draft|prepare|send|post|make) (?:a|an|the|me|us)(?: \p{L}+)? (?:ticket|issue|e-?mail|letter|memo|note|story|proposal|draft|rfc|report|post|poem|joke)\b`,
    String.raw`\b(?:estimate|calculate|guess) (?:the|how|what)\b|\b(?:imagine|pretend|suppose|fantas\w+|dream\w*|hypothetical\w*|thought experiment)\b|[(\[][^)\]]*\b(?:closed|rejected|declined|withdrawn|dismissed|obsolete|won['’]?t ?fix|dropped|abandoned|invalid|duplicate)\b`,
    String.raw`\b(?:noch nicht|nicht (?:machen|tun|umsetzen|anfassen)|schon erledigt|erledigt|gestern|irgendwann|später|todavía no|aún no|ya está|ayer|más tarde|pas encore|déjà fait|hier|plus tard)(?!\p{L})|还没|不要|已经|昨天|以后`,
  ].join("|"),
  "iu",
);

/** Leads that say that what follows was decided: "Rates, as agreed last week". */
const AGREED =
  /(?<!\b(?:not|n['’]t|un|nothing) ?(?:yet |been )?)\b(?:agreed|decided|approved|settled|signed off|beschlossen|vereinbart|acordado|convenu|décidé)\b/iu;

/**
 * Tells whether the heading of a message, or its lead in the same line, says that what follows is none of the sender's wishes, or not for
 * now: "Done already:", "Do not do this yet: ...".
 */
export function isHeadedOtherwise(message: string): boolean {
  const [first = "", ...others] = message.trim().split("\n");
  if (others.length > 0 && /[:：]\s*$/u.test(first) && isUnmeant(first)) return true;
  const [, lead] = LEAD.exec(`${message.trim()} `) ?? [];
  return lead !== undefined && PUTS_OFF.test(lead) && !AGREED.test(lead);
}

/** Words behind a wish that take it back wherever they stand, even at the end of a text that nothing marks. */
const TAKEN_BACK =
  /(?:[.!?,;:…–—-]|\n)\s*(?:(?:oh|hm+|actually|well|ah|sorry|or|no)[,\s]+)*(?:(?:no,? )?wait,? no|no,? wait|never ?mind|nvm|(?:scratch|strike|belay) that|forget (?:it|that|this)|on second thoughts?|(?:just )?(?:kidding|joking)|(?:leave|keep) (?:it|that|this|them|things|everything|all) (?:as|the way|how) (?:it|that|this|they) (?:is|are|was|were)|(?:ignore|disregard|cancel) (?:it|that|this|me))\b|\bunless (?:some|any)(?:body|one) (?:objects?|minds?|complains?|disagrees?|protests?|vetoes|says no|is against)\b/iu;

/** Words of a sentence or its end that speak of the wish before it: it was one once, nobody is sure of it, or it is to go. */
const SPOKEN_BACK = new RegExp(
  String.raw`(?:[.!?,;:…–—(-]|\n)\s*(?:(?:oh|hm+|actually|well|ah|sorry|but|though|and|then|later)[,\s]+)*(?:` +
    [
      String.raw`(?:that|this|it|such) (?:was|were|had been|used to be|would have been)(?: \p{L}+)? (?:the|a|an|our|my|his|her|their|only|just|once|never) (?:\p{L}+ )?(?:plan|idea|proposal|suggestion|intention|wish|thought|hope|dream|joke|draft|test|rumou?r|discussion|question|example)\b`,
      String.raw`(?:we|they|i|he|she|everybody|management|the \p{L}+)(?: have| has| had|['’]ve)?(?: \p{L}+)? (?:decided|voted|spoke|argued|advised|are|am|is|were|was) against (?:it|that|this|them|the idea)\b`,
      String.raw`(?:we|they|i|he|she|the \p{L}+)(?: have| has| had|['’]ve)?(?: \p{L}+)? (?:dropped|rejected|withdrew|withdrawn|abandoned|declined|dismissed|turned down|called off|gave up|vetoed|reverted|undid|undone|regret(?:ted)?) (?:it|that|this|them|(?:the|that|this) (?:idea|plan|wish|change|proposal))\b`,
      String.raw`(?:i have |i['’]ve |we have )?no (?:idea|clue) (?:whether|if|what|why)\b|(?:i['’]?m |i am |we['’]?re |we are )?not (?:so |quite |at all |entirely |really )?(?:sure|certain|convinced|decided)\b|(?:i|we) (?:really |rather |still )?(?:doubt|wonder|question|dislike|hate) (?:it|that|this|whether|if)\b|who knows\b|or (?:rather|maybe|perhaps|better) not\b|(?:rather|maybe|perhaps|better|preferably) not\b`,
      String.raw`(?:please |pls )?(?:delete|remove|drop|cancel|withdraw|undo|ignore|skip|scrap|erase|strike|forget|disregard|revert|retract) (?:this|that|the|my)(?: \p{L}+)? (?:wish|line|message|request|sentence|paragraph|remark|comment|mail|e-?mail|ticket|idea|thought)\b`,
    ].join("|") +
    ")",
  "iu",
);

/** Tells whether a message takes back what it says, speaks of it as what nobody wants, or lets somebody stop it. */
export function takesBack(message: string): boolean {
  const masked = maskQuotations(message);
  return TAKEN_BACK.test(masked) || SPOKEN_BACK.test(masked);
}
