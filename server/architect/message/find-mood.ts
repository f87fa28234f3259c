import { QUOTED } from "./find-quotations.ts";
import type { Mood } from "./message.ts";

/** Verbs that orders begin with. */
const VERBS: ReadonlySet<string> = new Set(
  (
    "set change adjust tune put raise increase bump lower reduce decrease update move remove delete drop get take add allow accept " +
    "promote revert reset undo roll go return make mark declare deprecate undeprecate describe redescribe rewrite reword limit give " +
    "let have keep grant revoke withdraw require point advance forget end clear replace correct apply patch edit create write use " +
    "activate commit adopt turn merge implement integrate install do carry execute perform land include follow support extend rename " +
    "enable disable switch stop start treat show hide fix mend improve shorten lengthen cut increment double halve bring restore bind " +
    "bound restrict respond answer reply greet say tell look check see read note consider review ensure configure define call label tag " +
    "link copy insert append prefer ask send enforce unpromote expose return sort order translate log format convert refuse reject link"
  ).split(" "),
);

/** Whether an order may begin with a word. */
export function isVerb(word: string): boolean {
  return VERBS.has(word);
}

/** What stands before an order or a question and says nothing. */
const POLITENESS =
  /^(?:(?:and|but|also|then|next|finally|now|so|well|(?:hi|hello|hey|dear|thanks|thank you|ok|okay)(?: (?:team|all|there|folks|everyone|cairn|architect))?|yes|yeah|sure|sorry|cairn|architect|please|pls|kindly|just|simply|first|second|third)\b[,:;!.]*[ -]*)+/;
/** Requests that have the form of questions or wishes; what is asked for follows. */
const REQUEST = new RegExp(
  "^(?:" +
    [
      "(?:(?:could|can|would|will) you|(?:could|can) (?:we|cairn|somebody|someone))(?! (?:tell|explain|show|say)\\b)(?: (?:please|kindly|maybe|perhaps|also|just))*",
      "(?:would|do) you mind",
      "(?:is it|would it be) possible to",
      "may i ask (?:you )?to",
      "let'?s",
      "i(?: a|')m asking you to",
      "(?:i|we)(?: would|'d)? (?:like|want|love|need|wish|ask|propose|suggest|recommend|request|prefer)(?: (?:you|cairn))?(?: to)?",
      "(?:it|that)(?: would|'d) be (?:nice|good|great|helpful|lovely|useful|better|fine) (?:if|to)",
      "i (?:was|am) wondering (?:whether|if) (?:it (?:might|would|could) be (?:at all )?possible to|you (?:could|can|might))",
      "(?:i think(?: that)? )?(?:you|we) (?:should|can|could|may|must)",
      "make sure (?:to|that)",
      "feel free to",
      "go ahead and",
      "it is time to",
    ].join("|") +
    ")\\b(?!')[, ]*",
);
/** What is to be otherwise, said of a thing. */
const WISH =
  /\b(?:should|must|shall|ought to|(?:needs?|has|have|is|are) to|need)\b|\b(?:can|may) (?:go|be (?:removed|dropped|deleted))\b/;

/** What stands behind an order and says nothing. */
const BEHIND =
  /[ ,]+(?:please|thanks|thank you|thank you very much|many thanks|thx|for (?:me|us)|now|again|too|as well)$/;
const END = /[ .!?:,;]+$/;

const NEGATED_START =
  /^(?:(?:do not|don'?t|dont)(?! require\b)|never|not|no(?! longer)|avoid|refrain|hold (?:off|on)|wait\b|stop short|never mind|nevermind|under no|by no means|in no|on no account|nobody|neither|(?:i|we) (?:don'?t|do not|would not|wouldn'?t|never)|(?:forget|ignore|disregard|discard|skip|reject|refuse|decline|withdraw|scratch|cancel) (?:it|this|that|these|those|them|the (?:above|below|following|attached|quoted|block|patch|diff|change|message|request|rest|previous)))\b/;
/** A wish of what a thing is not to do; not of what is not to be done to it, nor of what the sender shows. */
const WISH_NOT =
  /^(?!(?:i|we|you|this|that|it|these|those|they|nobody|there)\b)(?![^,;:]{0,80}\b(?:patch|diff|change|request|message|order|block)s?\b)[^,;:]{1,80}? (?:should|must|shall)(?: not| never|n't) (?!be\b)/;
const NEGATED =
  /\b(?:must|should|shall|may|might|can|could|would|will|need|ought to|do|does|did|is|are|was|were|has|have|had|let'?s)(?:n'?t| not| never)\b(?! require\b)|\bcannot\b|\b(?:won|can|ain)'?t\b|\bno (?:need|reason|way) to\b|\bnot (?:to be )?(?:appl|do|make|set|use|merge|accept|commit|yet)/;
const CONDITION_START =
  /^(?:if|unless|whenever|once|as soon as|in case|assuming|suppose|supposing|provided|providing|given that|when(?! (?:of|in)\b)|until|should (?!we|i\b|you|it\b|there)|were |had (?:we|you|it|they)|only (?:if|when|after|once))\b/;
const CONDITION =
  /\b(?:if|unless|in case|assuming|provided that|as long as|as soon as|whenever|otherwise|depending on|whether|whichever|only when|when (?:you|we|they|he|she|it|the (?:tests?|checks?|build))|(?:after|before|once|until|when) (?:[\w']+ ){0,5}(?:approv|agree|confirm|review|pass|merg|finish|green|ok\b|okay|sign))/;
const QUESTION_START =
  /^(?:why|what(?! (?:i|we|is needed|is missing)\b)|how|who|whom|whose|which|where|when|is|are|was|were|does|do (?:you|we|i|they)|did|has|have (?:you|we|they)|should (?:we|i|you|it|there)|shall (?:we|i)|am i|may i|can i|could i|would (?:it|this|that|they|chat|you)|will (?:it|this|that|they)|isn'?t|aren'?t|doesn'?t|don'?t you|could you (?:tell|explain|show|say)|can you (?:tell|explain|show|say)|any idea)\b/;

const SPEECH =
  "says?|said|saying|writes?|wrote|written|tells?|told|asks?|asked|asking|claims?|claimed|suggests?|suggested|proposes|proposed|requests?|requested|demands?|demanded|reports?|reported|replies|replied|answered|mentions?|mentioned|posts|posted|sends?|sent|submits|submitted|insists?|insisted|recommends?|recommended|thinks?|thought|wants?|wanted|wishes|wished|complains?|complained|forwarded|quotes?|quoted|pasted|commented|begs?|begged|urges?|urged|orders?|ordered|instructs?|instructed|believes?|states|stated|reads?|goes|would like";
const OTHERS =
  "he|she|they|somebody|someone|anybody|everybody|everyone|people|users|customers|clients|others|it|who|which|(?:(?:the|an?|our|my|your|his|her|their|one|another|some|this|that|these|those|every|each|most|many|several|two|three)(?: (?!(?:should|must|shall|can|could|would|will|may|has|needs?|to)\\b)[\\w'-]+){1,4}?)|[a-z][\\w.'-]* (?:from|at|in) [\\w'-]+|(?!(?:the|an?|our|my|your|his|her|their|this|that|these|those)\\b)[a-z]\\w*";
/** Whoever is not the sender says something, or something is said to have been said. */
const OTHERS_SPEECH = new RegExp(
  `^(?:(?:yesterday|today|now|recently|again|once|as|and|but|because|since|in the \\w+|last \\w+|this \\w+|on \\w+|according to [^,]{1,60}),? )*(?:${OTHERS}) (?:(?:just|also|then|once|has|have|had|is|was|were|are|now|even|really|always|often|kindly) )*(?:${SPEECH})\\b`,
);
const OWN_SPEECH = /^(?:i|we|you|let|please)\b/;
/** Also of names that are verbs besides: "support wrote". */
const ONE_WORD_SPEECH =
  /^(?!(?:i|we|you)\b)[\w.'-]+ (?:said|wrote|says|writes|asked|asks|told|tells|wants|wanted|sent|suggested|suggests|thinks|insists|insisted|complained|complains|begs|would like)\b/;
const RECEIVED =
  /\b(?:i|we) (?:just |have |also |once )*(?:got|received|found|saw|read|heard|were (?:sent|told|asked)|was (?:sent|told|asked))\b/;
const ATTRIBUTION = new RegExp(
  `(?:,|\\ufffc) ?(?:(?:says|said|writes|wrote|asks|asked|begs|urges) [\\w' .-]{1,60}|(?:${OTHERS}) (?:says?|said|writes?|wrote|asks?|asked|told|insists?|claims?))\\W*$|(?:^|, )according to\\b|\\bas (?:the|an?|our|my|his|her|their) [\\w' -]{1,40} (?:says?|said|wrote|asked|put it|requested|demanded)\\W*$`,
);
const TURNED = /[\u202a-\u202e\u2066-\u2069]/;
const REASON =
  /(?<!as soon|as long) (?:because|since|as (?:it|they|we|users|people|that)|so that|in order to)\b[^,;]*/g;
/** Characters of a sentence. No order needs more, and what is longer would only be work. */
const LONGEST = 2_000;

/** The words of a sentence as moods are found by: in lower case, on one line, what is quoted as one sign, without its end. */
export function toWords(masked: string): string {
  return masked
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(new RegExp(`${QUOTED}+`, "g"), QUOTED)
    .replaceAll(/[\u2018\u2019\u02bc`\u00b4]/g, "'")
    .replaceAll(/[\u2013\u2014]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The words without politeness around them, and without the words that make a request of them. */
export function toCore(words: string): string {
  let core = words.replace(END, "");
  for (let shorter = strip(core); shorter !== core; shorter = strip(core)) core = shorter;
  return core;
}

/** What a sentence asks for, as it was written: without its end mark, and without politeness and requests around it. */
export function toBare(sentence: string): string {
  const lower = sentence.toLowerCase();
  // Few letters have another length in lower case.
  if (lower.length !== sentence.length) return sentence;
  const core = toCore(lower.replaceAll("\u2019", "'"));
  const start = lower.replaceAll("\u2019", "'").indexOf(core);
  return sentence.slice(start, start + core.length);
}

function strip(words: string): string {
  return words.replace(POLITENESS, "").replace(REQUEST, "").replace(BEHIND, "").replace(END, "");
}

/** What a sentence does; `masked` is the sentence with everything unreadable that is quoted in it. */
export function findMood(masked: string): Mood {
  // Whoever looks at a text with turned directions reads its words in another order.
  if (masked.length > LONGEST || TURNED.test(masked)) return "report";
  const words = toWords(masked);
  const bare = words.replace(POLITENESS, "");
  const core = toCore(words);
  const claim = bare.replaceAll(REASON, "");
  const [first = ""] = /^[\w']+/.exec(core) ?? [];
  const asks =
    REQUEST.test(bare) && !/^(?:could|can|would|will) you (?:please )?(?:tell|explain|show|say)\b/.test(bare);
  if (NEGATED_START.test(bare) || NEGATED_START.test(core) || NEGATED.test(claim.replace(WISH_NOT, "")))
    return "negation";
  if (speaksForOthers(words)) return "report";
  if (CONDITION_START.test(bare) || CONDITION.test(claim.replace(REQUEST, ""))) return "condition";
  const isPolite = asks || (VERBS.has(first) && /\bplease\b/.test(words));
  if (!isPolite && (QUESTION_START.test(bare) || /\?\W*$/.test(words))) return "question";
  // A verb alone above something is a heading: "Log:", "Patch:".
  const isHeading = core === first && /:\W*$/.test(words);
  return asks || (VERBS.has(first) && !isHeading) || /^no longer\b/.test(core) || WISH.test(claim)
    ? "imperative"
    : "report";
}

/** Whether a sentence passes on what somebody else has said, asked for or sent. */
export function speaksForOthers(words: string): boolean {
  const bare = words.replace(POLITENESS, "");
  if (ATTRIBUTION.test(bare) || RECEIVED.test(bare) || ONE_WORD_SPEECH.test(bare)) return true;
  const [first = ""] = /^[\w']+/.exec(toCore(words)) ?? [];
  return !OWN_SPEECH.test(bare) && !VERBS.has(first) && OTHERS_SPEECH.test(bare);
}
