import { toCore, toWords } from "../../message/find-mood.ts";
import { maskQuotations } from "../../message/find-quotations.ts";
import type { Heard } from "./heard.ts";
import { findLanguage, STATED, tellsOfPast } from "./standing.ts";
import { isUnmeant } from "./unmeant.ts";
import { withoutDefaultCase } from "./words/default-case.ts";
import { CHANGING } from "./words/phrase-index.ts";
import { toStem } from "./words/words.ts";

/**
 * What a sentence means for the wish of its message. `asks`: wants something. `hints`: may want something, which is offered and
 * never done at once. `forbids`: wants something not to be done. `depends`: wants it under a condition. `inquires`: only asks a question.
 * `tells` and `others` want nothing: of these, the last passes on somebody else's words.
 */
export type Stance = "asks" | "hints" | "forbids" | "depends" | "inquires" | "tells" | "others";

/** Negations that only say what it was, or why: "not 4", "isn't enough", "because there is no postcode". */
const HARMLESS = new RegExp(
  [
    String.raw`(?:^|[,;:(–-]|\b(?:and|but|und|y|et|o|ou)\b) ?(?:not|nicht|no|non|pas|und nicht|rather than|instead of)(?: just| only| nur| solo| seulement)?(?: the| a| an| die| der| das| den| el| la| los| les?| de| auf| bei| at| from| to| to be| as)* ?["'“\w.%-]{1,24}(?: one|s)?(?: \w+)?(?=$|[.,;:!?)])`,
    String.raw`\b(?:is|are|was|were|do|does|did|am|has|have)(?:n['’]?t| not)(?: quite| really| nearly| even)* (?:enough|sufficient|ideal|clear|right|secret|idempotent|deterministic|here|there|true|needed|used|work\w*|fit\w*|cut it|do|suffice|survive|read\w*|build|know|pay)`,
    String.raw`\bno \p{L}+ (?:comes? back|(?:is|are) (?:found|returned|given|listed))(?=\W*$)`,
    String.raw`\beven (?:if|when|where)\b[^,;.]*`,
    String.raw`\bnot (?:nearly |quite |really )?enough\b|\bno exceptions?\b|\bwhy not\b|\bno problem\b|\bnot sure\b|\bno (?:doubt|matter|idea)\b`,
    String.raw`\b(?:because|since|as|weil|porque|parce que)\b[^,;.]*`,
    String.raw`\b(?:no|not) (?:more|less|fewer|longer|shorter|larger|later|earlier|higher|lower)(?: than)?\b|\bnicht (?:mehr|weniger|länger|höher) als\b|\bno (?:más|menos) de\b|\bpas plus de\b|不超过`,
    String.raw`\b(?:won['’]?t|can['’]?t|cannot|never|no one|nobody|nicht|niemand|nadie|personne)\b[^.!?;]{1,60}(?=[,;.!] ?(?:\w+ ){0,3}(?:please|pls|bitte|kill|drop|remove|delete|make|raise|set|so\b))`,
    String.raw`nicht genug|reicht nicht|reichen nicht|zu wenig|no (?:es |son )?suficientes?|no (?:basta|alcanza|llega)|no (?:[mnlt]e|nos|les?) dan? (?:tiempo|abasto)|n['’]est pas (?:assez|suffisant)|ne suffi\w+ pas|pas assez|不够|太少`,
  ].join("|"),
  "giu",
);
/** Negations that are what is wanted: something is to go, or need not be given. */
const WANTED =
  /\b(?:any ?more|any longer|no longer|nobody|no one|nothing|never|without|unused|not (?:be )?(?:required|mandatory|needed|necessary|optional)|(?:should|must|may|can|need)(?:n['’]t| not) (?:be |have to |need |require|take|accept|offer|allow|exceed)|(?:should|must|may|can)(?:n['’]t| not)\b.{0,40}\b(?:any ?more|any longer|longer than|more than|less than)|nicht mehr|kein\w*|niemand|nie|ohne|ya no|nadie|ningun\w*|sin|más de|plus (?:de|d['’]|obligatoire|besoin)|ne .{0,30} plus|n['’][\wéèêàç]+ plus|aucun\w*|personne|不再|没有用|不必|超过|por defecto|standardmäßig|par défaut)\b|默认|不再|没有用|不必|超过|不需要|不能(?:空|为空|不填|省略)/i;
const FORBIDDEN =
  /(?:^|[,;:] ?|\b(?:and|but|please|pls|kindly|so|just)\b ?)(?:do not|don['’]?t|dont|never|let['’]?s not|avoid|refrain|no need to|stop short|bitte nicht|no|ne) (?:\w+ )??(\p{L}+)|\b(?:i|we)(?: would| do|['’]d)?(?:n['’]t| not| never| rather not) (?:think|want|like|wish|need|see|recommend|agree|believe)|\b(?:should|must|may|can|shall|will) (?:not|never) be (?:touched|changed|raised|lowered|removed|dropped|altered|increased|reduced|renamed)|\b(?:not|nicht|no|ne|never) (?:to )?(?:touch|change|raise|lower|alter)|别|不要|勿|请不/giu;
/** "Don't accept a duration below 30" asks for a bound. */
const BOUNDING =
  /^[\s,;:]*(?:(?:and|but|please|pls|kindly|so|just)\b ?)?(?:do not|don['’]?t|dont|never) (?:ever )?(?:accept|allow|let|permit|take|hand out|give out|return|send|support)\b[^.;!?]{1,60}?\b(?:below|under|above|over|beyond|past|(?:less|fewer|more|longer|shorter|higher|lower|greater|larger|smaller) than) (?:\d|\p{L}+\b)[^,;]*$/iu;
/** Orders to stop, or not to begin, a change: "quit raising it". */
const STOPPED =
  /\bthe (?:exact |very )?(?:opposite|reverse|contrary) of\b|\b(?:stop|quit|cease|skip|avoid|no more|refrain from|hold off(?: on)?|forget about|put off|postpone|delay) (?:\w+ )?(?:rais|lower|set|chang|increas|reduc|decreas|bump|cutt|mov|dropp|remov|delet|add|renam|updat|tweak|touch|promot|adjust|modify|switch)\w*ing\b/i;
/** Orders to somebody else, or to ask somebody first: "remind me to lower it", "check with legal and then raise it". */
const ELSEWHERE =
  /^\W*(?:(?:please|pls|hey|hi|and|then|so|also|ok)\W+)*(?:remind (?:me|us|them|\p{L}+) (?:to|about|that)|(?:ask|tell|get|have|let|invite|persuade|convince|warn|inform) (?!(?:for|callers?|users?|customers?|people|them)\b)(?:the |our |my )?\p{L}+(?: \p{L}+)? (?:to (?:please |kindly )?(?:raise|lower|set|change|increase|reduce|decrease|bump|cut|move|drop|remove|delete|add|rename|update|tweak|adjust|switch|promote|make)|know (?:that|before))|(?:check|talk|speak|clear it|agree|consult) (?:with |to )(?:the |our |my )?\p{L}+\b|wait for\b)|\b(?:ask|consult|tell|inform|warn|check with|talk to) (?:the |our |my |some)?\p{L}+ (?:first|beforehand|before)\b/iu;
/** Judgements of a change that is only spoken of. */
const DISLIKED =
  /\b(?:(?:it|that|this)(?: would|['’]d| will|['’]ll)|would) be (?:a |an |rather |very |quite |so )*(?:mistake|shame|pity|disaster|nightmare|catastrophe|terrible|horrible|awful|dreadful|dangerous|harmful|fatal|unacceptable|absurd|bad idea|wrong|bad|silly|unwise|stupid|risky|crazy|madness)\b|\bunder no circumstances\b|\bby no means\b|n['’]t you (?:even )?dare\b|^\W*before (?:any|some)(?:body|one)\b|\b(?:keep|leave) (?:it|them|that|this|things) that way\b/i;
const RETRACTED =
  /^\W*(?:(?:actually|hm+|no|wait|sorry|well|or|oh|then)\W+)*(?:just )?(?:leave|keep) (?:it|that|them|this)(?: all)?(?: (?:as|the way|how) (?:it|that|they) (?:is|are|was|were)| alone| be)?\W*$|^\W*(?:(?:just|only|was|oh|haha?|lol)\W+)*(?:kidding|joking|jk|psych|nah|nope|nvm|oops,? (?:ignore|wrong|sorry|never|no)|my bad|as if|april fools?|or not|withdrawn|disregard|ignore me|not really|a joke|sarcasm)\b|(?:[(…–—-]|\.\.\.)\s*(?:jk|nvm|kidding|joking|just (?:kidding|joking)|no,? don['’]?t)\W*$|\s\/s\W*$|\b(?:never ?mind|scratch that|strike that|belay that|ignore the above|disregard the above|forget (?:it|that|this|i said)|on second thoughts?|just kidding|no,? wait|(?:cancel|ignore|disregard) (?:it|that|this)|doch nicht|mejor no|plutôt pas)\b|算了/i;
/** "I wonder whether it should be 5" asks what others think; "I wonder if you could raise it" asks for it. */
const WONDERS =
  /^\W*(?:i|we)(?:['’]m| am|['’]re| are)? (?:\w+ )?wonder(?:ed|ing)? (?:whether|if|what|why|how) (?!(?:you|we|it|[\w.]+) (?:could|can|might)\b)(?![^.]{0,30}\bpossible\b)/iu;
/** A question that is a request. */
const REQUEST =
  /^\W*(?:(?:hi|hey|hello|hallo|hola|bonjour|so|and|also|ps|btw|quick one|one more thing|sorry|folks|team|all|there|please)\W+)*(?:c(?:ould|an)|would|will|may|might|any chance|is there (?:any|a) (?:chance|way|possibility)|is it possible|would it be (?:possible|ok|okay|fine)|how about|what about|why (?:not|don['’]?t (?:we|you))|what if we|shall we|do you mind|mind|what do you say to|k[öo]nn\w*|kannst|ginge|geht|wäre es möglich|w[üu]rde\w*|podr\w+|pueden?|puedes|sería posible|est-ce (?:qu['’]on|que l['’]on|possible|que vous|que tu)|serait-il possible|pourr\w+|peux|peut-on|pouvez)\b|能不能|能否|可以.{0,30}吗|可否|是否可以/iu;
/** "Our driver speaks Polish, so could the greeting come in Polish?" */
const LATE_REQUEST =
  /[,;:–—-] ?(?:so|and|then)? ?(?:could|can|may|might) (?:the|our|my|its?|that|this|th(?:e|o)se|they|i)\b/iu;
/** Words by which a question wants to know something. */
const INFORMATION =
  /\b(?:why (?!not|don)|what (?!about|do you say|if we)|how (?!about)|who|which|tell|explain|know|happens?|happened|break|breaks|affect|mean|means|notice|still|anything|anybody|anyone|already|currently|warum|was passiert|wieso|por qué|qué pasa|pourquoi|que se passe)\b|\bif (?!you|possible)|^\W*would \w+ing\b(?!.*\b(?:possible|okay|ok|fine|feasible)\b)|为什么|什么|还是/i;
/** "When a machine is drained, builds should get half an hour" says how something is to be, and sets no condition. */
const HABIT =
  /^\W*(?:when|whenever|whoever|anybody who|everybody who|anyone who|wer|wenn man|beim|quand on|cuando|al)\b/i;
const APPROVAL =
  /\b(?:approv\w*|agree\w*|confirm\w*|reviewed|pass(?:es|ed)?|merge[sd]?|finish\w*|green|okay|signs?|legal|says? yes|objects?|ready|done|decided|possible|released?|allowed?)\b/i;
const OUGHT =
  /\b(?:should(?! have)|must|has to|have to|ought to|['’]d (?:like|love)|want|wants|needs?|show|give|let|make|please|may|from now on|soll\w*|muss|müssen|darf|dürfen|bitte|debe\w*|puede\w*|doit|doivent|devrai\w*|faut|faudrait|peu(?:t|vent))\b|请|应|需要|要/i;
/** Conditions that bind whatever is said behind them: "contingent on funding: 6". */
const BINDING = /^\W*(?:subject to|contingent (?:up)?on|pending|only with|only if|provided|assuming)\b[^:]*:/iu;
const CONDITION =
  /\b(?:subject to|contingent (?:up)?on|barring|failing an?|lacking|absent|permitting|(?<!\b(?:be|been|being|is|are|was|were|get|gets) )given (?:an?|the|enough|that)|upon (?:arrival|request|approval|receipt)|(?:only )?with (?:an? |the |our )?(?:[\p{L}'’]+ )?(?:blessing|approval|consent|okay|permission|sign-?off|agreement|go-ahead|signed \p{L}+)|needs? (?:\p{L}+ )?approval|approval (?:assumed|pending)|(?:ha(?:s|ve|d)|is|are|was|were)(?:n['’]?t| not| never)(?: yet| been)* (?:agreed|approved|consented|confirmed|decided|cleared|okayed|signed(?: off)?)|come (?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december))(?!\p{L})|^\W*(?:had|were) [\p{L}_.]+ [^!?]*,|\b(?:if|unless|once|until|as soon as|in case|assuming|provided|pending (?:(?:the|a|an|our|your|legal|final|further) |approval|review|sign)|suppose|supposing|falls|sofern|sobald|nachdem|erst wenn|à condition|au cas|dès que|en caso de que|une fois que|en cuanto|una vez que|tan pronto)(?![\p{L}_])|\bafter (?:the|our|my|that|this) [\p{L}'’ -]{3,40}[.!]?$|如果|要是|假如|除非|等.{1,20}(?:后|再)/iu;
/** `catalog.list_reviews title: What customers say` */
const KEYED = /^\W*[\w.]+(?:['’]s)? [\w ]{1,30}:\s*\S/;
const WISH = /\b(?:i|we)(?:['’]d| would)? (?:like|love|want|need)\b/i;
/** "It defaults to 0.5, I'd rather have 0.4 there" */
const PREFERRED =
  /(?:^|[,;:–—-] ?|\b(?:but|and|so) )(?:i|we)(?:['’]d| would) (?:rather|prefer(?: to)?)(?: (?:have|see|use|make|give|set|keep) (?:it|that|this)?)? ?(?:at |to )?\S*\d/iu;
/** "Auditors want logs to be kept for 90 days": who works with the tools has wishes, too. */
const THEIR_WISH =
  /^\W*(?:our |the |my |all |most |some )?\p{L}+(?: \p{L}+)?s? (?:wants?|needs?|would like|asks? for|wish(?:es)?|keeps? asking (?:for|to)|(?:are|is) asking (?:for|to)|(?:have|has) been asking (?:for|to))\b/iu;
/** "Shipping quotes cost money", "we got what we wanted": words of saying that say nothing of anybody's. */
const NO_SPEECH =
  /\b(?:quotes?|orders?|reports?|requests?)\b(?: \w+){0,2}? (?:costs?|is|are|should|must|ought|counts?|takes?)\b|\b(?:got|found|saw) (?:what|enough|all|nothing)\b/iu;
/** "Logs must be kept for 60 days, legal says" */
const PASSED_ON = /\b(?:must|should|has to|have to|needs? to|ought to)\b[^.!?]{3,80},? (?:\p{L}+ )?\p{L}+ says?\W*$/iu;
/** "The tool should say in its description that ...": texts say something, too. */
const TEXT_WISH =
  /\b(?:should|must|ought to|needs? to|could) (?:also )?(?:say|mention|state|read|explain|tell|note|warn)\b/i;
/** "Nothing asks rates.example any more": what nobody uses may have to go. */
const UNUSED = /^\W*(?:nothing|nobody|no one)\b.*\b(?:any ?more|any longer|these days)\b/i;
/** "Playful is a valid tone" and "a maximum of 60 is dangerous" only say something of a value. */
const JUDGED =
  /^\W*(?:the |our |a |an )?[\w.'"\x60-]+ (?:is|are) (?:now |still |already )?(?:a|an|the|one of)\b(?! (?:new|little|bit|tad|touch)\b)|\b(?:is|are|sounds?|seems?|feels?|looks?) (?:\w+ )?(?:terrible|horrible|awful|dreadful|dangerous|harmful|fatal|unacceptable|absurd|ridiculous|wrong|crazy|insane|bad|nonsense|rubbish|out of the question)\b/i;
/** Who says what a tool does wants something else, or nothing. */
const REPORT =
  /\b(?:gives|shows|puts|returns|sends|throws|displays|delivers|answers|says|gets|ends up|lands|hangs|ignores|keeps)\b(?!.*\b(?:instead of \d|rather than \d))/i;
/** "The default of packing is dense" may only tell how it is. */
const USUAL =
  /^\W*(?:the |our )?(?:(?:default|usual|standard|normal)(?: value)? (?:of|for) [^.,;:]{1,60} (?:is|are) (?!to\b|too\b|not\b|now\b)|[\w.'\x60 -]{1,60} (?:is|are) (?!to\b|too\b|not\b|now\b)[\w.'"\x60 -]{1,30} by default\b)/iu;
const PAST =
  /\b(?:yesterday|tried|happened|crashed|should have|last (?:night|week|month))\b|gestern|ayer|hier soir|昨天/i;

/** "We might raise it", "metric and imperial are fine", "we do not promote by hand": what is thought of, found or done asks for nothing by itself. */
const MUSED = [
  /^\W*(?:(?:so|then|and|or|well|hm+)\W+)*(?:we|i|one|they|you) (?:might|may|could)\b(?! (?:please|kindly|you)\b)/iu,
  /\b(?:is|are)(?: all| just| quite| perfectly| both)? (?:fine|ok|okay|good|great|al ?right|all right|perfect)(?: (?:as (?:it is|they are|is)|(?:for|by|with) (?:us|me)|already|now))?\W*$/iu,
  /^\W*(?:we|they) (?:do not|don['’]t|never) (?!(?:want|need|like|wish|think|use|accept|take|support|offer|sell|have|know|allow|ship|deliver)\b)\p{L}+/iu,
];
/** What is only imagined, or was so once, is no complaint. */
const UNREAL =
  /\b(?:used to|imagine|dream\w*|rumou?r|considered|could argue|used|was about to|suppose\w*|wonder\w*|thank\w*)\b/i;

/** "We stopped flying with them, pls take it out": a plea behind something that is only told. */
const PLEA =
  /(?:^|[,;:.!?–—-]\s*|\b(?:so|and|then)\s+)(?:please|pls|plz|pelase|plaese|kindly|bitte|por favor|s['’]il (?:te|vous) pla[iî]t|svp|(?:can|could|would|will) (?:you|we|somebody|someone)|let['’]?s)\b\s*\p{L}+|请(?!问)/iu;

/** Reads what a sentence means for the wish of its message. */
export function stanceOf({ standing, sentence: { text } }: Heard): Stance {
  const masked = maskQuotations(text);
  const bare = withoutDefaultCase(masked).replaceAll(HARMLESS, " ");
  if (standing === "others")
    return WISH.test(text) || (THEIR_WISH.test(masked) && concludes(masked))
      ? "asks"
      : [THEIR_WISH, PLEA, TEXT_WISH, PASSED_ON, NO_SPEECH, UNUSED].some((pattern) => pattern.test(masked))
        ? "hints"
        : "others";
  if (standing === "question")
    return [REQUEST, PLEA, LATE_REQUEST].some((pattern) => pattern.test(masked)) && !INFORMATION.test(bare)
      ? "asks"
      : "inquires";
  if (RETRACTED.test(masked) || DISLIKED.test(bare) || STOPPED.test(bare)) return "forbids";
  if (ELSEWHERE.test(masked)) return "depends";
  if (isUnmeant(text)) return "tells";
  if (isMused(masked)) return "hints";
  const forbidden = findForbidden(bare);
  // "Don't let it decide before ..." asks for a limit, too.
  if (forbidden >= 0 && /^\W*(?:\w+ )?(?:do not|don['’]?t|never) let\b/i.test(bare.slice(forbidden))) return "hints";
  if (forbidden >= 0 && BOUNDING.test(bare.slice(forbidden))) return "asks";
  if (forbidden >= 0) return forbidden > 12 && !WANTED.test(bare.slice(0, forbidden)) ? "hints" : "forbids";
  if (standing === "condition" && /[?？]\W*$/.test(masked) && !REQUEST.test(masked)) return "inquires";
  if (standing === "condition" && WONDERS.test(masked)) return "inquires";
  if (standing === "condition") {
    const isHabit = HABIT.test(masked) && !APPROVAL.test(masked) && (OUGHT.test(masked) || startsWithVerb(masked));
    return isHabit || !(dependsOn(bare) || /^\W*when\b/i.test(bare)) ? "asks" : "depends";
  }
  if (standing === "aside" && (PLEA.test(masked) || concludes(masked))) return "asks";
  if (standing === "aside" && PREFERRED.test(masked)) return "asks";
  if (standing === "aside" && STATED.test(toCore(toWords(masked)))) return "tells";
  if (standing === "aside") {
    const isPast = PAST.test(masked) || tellsOfPast(masked);
    return !isPast && (OUGHT.test(masked) || !UNREAL.test(masked)) ? "hints" : "tells";
  }
  if (standing === "negation") {
    if (/请(?![不勿别问])/.test(masked) && !/(?:不要|别|勿|不用|不必).{0,6}(?:改|动|加|删|换|调)/.test(masked))
      return "asks";
    if (findLanguage(masked) !== "en" && !WANTED.test(bare) && isNegated(bare)) return "forbids";
    return dependsOn(bare) ? "depends" : "asks";
  }
  if (BINDING.test(masked)) return "depends";
  if (KEYED.test(text)) return "asks";
  if (standing === "fragment" && JUDGED.test(masked) && !OUGHT.test(masked)) return "forbids";
  if (standing === "fragment" && USUAL.test(masked) && !OUGHT.test(masked)) return "hints";
  if (standing === "fragment" && REPORT.test(masked) && !OUGHT.test(masked)) return "hints";
  return standing === "order" && findLanguage(masked) === "en" && dependsOn(bare) ? "depends" : "asks";
}

/** Tells whether a sentence keeps its message from being carried out unasked: it wants something not to be done, or not yet, or only seems to want it. */
export function isUnwanted(one: Heard): boolean {
  const stance = stanceOf(one);
  if (stance === "tells") return one.resolved !== undefined;
  return stance === "forbids" || stance === "depends" || (one.resolved?.kind === "clear" && muses(one));
}

/** Tells whether a sentence only says what its sender thinks of, finds or does: nothing is done of it unasked. */
export function muses({ sentence: { text } }: Heard): boolean {
  return isMused(maskQuotations(text));
}

function isMused(text: string): boolean {
  return !PLEA.test(text) && MUSED.some((pattern) => pattern.test(text));
}

/** Where a negation stands that is meant for a change; -1: nowhere. */
function findForbidden(text: string): number {
  for (const match of text.matchAll(FORBIDDEN)) {
    const verb = match[1]?.toLowerCase();
    // "We don't need it any longer": what goes is what is wanted.
    if (
      verb === undefined &&
      /\b(?:need|want|use)\b(?! to (?:delete|remove|drop|change|raise|lower|set|add|rename)\b)[^.!?;]*\bany ?(?:more|longer)\b/i.test(
        text.slice(match.index),
      )
    )
      continue;
    if (verb === undefined || CHANGING.has(toStem(verb)) || /^(?:touch|forget|think|do|it|that|this)$/.test(verb))
      return match.index;
  }
  return -1;
}

function dependsOn(text: string): boolean {
  return CONDITION.test(text) || /^\W*(?:should|were|had) (?:\w+ ){1,3}(?:say|agree|be|approve)/i.test(text);
}

/** "Too much junk gets through, so lower it": an order behind its reason. */
function concludes(text: string): boolean {
  const [, verb = ""] = /[,;–—-] ?so,? (?:just |let['’]s )?(\p{L}+)\b(?! (?:is|was|has|did))/iu.exec(text) ?? [];
  return CHANGING.has(toStem(verb));
}

function isNegated(text: string): boolean {
  return /\b(?:nicht|no|ne|pas|n['’])\b|不/i.test(text);
}

function startsWithVerb(text: string): boolean {
  const [, rest = ""] = /^[^,]*,\s*(.*)$/s.exec(toWords(text)) ?? [];
  return CHANGING.has(toStem(/^[\p{L}']+/u.exec(toCore(rest))?.[0] ?? ""));
}
