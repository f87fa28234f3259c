/** The English that moods of sentences are told by. Patterns are of words in lower case, with single spaces between them. */

/** Verbs that orders begin with. */
export const VERBS: ReadonlySet<string> = new Set(
  (
    "set change adjust tune put raise increase bump lower reduce decrease update move remove delete drop get take add allow accept " +
    "promote revert reset undo roll go return make mark declare deprecate undeprecate describe redescribe rewrite reword limit give " +
    "let have keep grant revoke withdraw require point advance forget end clear replace correct apply patch edit create write use " +
    "activate commit adopt turn merge implement integrate install do carry execute perform land include follow support extend rename " +
    "enable disable switch stop start treat show hide fix mend improve shorten lengthen cut increment double halve bring restore bind " +
    "bound restrict respond answer reply greet say tell look check see read note consider review ensure configure define call label tag " +
    "link copy insert append prefer ask send enforce unpromote expose sort order translate log format convert refuse reject swap overwrite paste ship"
  ).split(" "),
);

/** Verbs of these that ask somebody to look at something, and change nothing by themselves. */
export const LOOKS: ReadonlySet<string> = new Set("look see read check note consider review".split(" "));

/** Polite words before an order or a question. */
export const POLITENESS = startOf(
  [
    "and|but|also|then|next|finally|now|so|well",
    "(?:hi|hello|hey|dear|thanks|thank you|ok|okay)(?: (?:team|all|there|folks|everyone|cairn|architect))?",
    "yes|yeah|sure|sorry|cairn|architect|please|pls|kindly|just|simply|first|second|third",
  ],
  "[,:;!.]*[ -]*",
  "+",
);
/** Polite words behind an order. */
export const BEHIND =
  /[ ,]+(?:please|pls|plz|thanks|thank you|thank you very much|many thanks|thx|for (?:me|us)|now|again|too|as well|danke|merci|gracias|谢谢)$/;
export const END = /[ .!?:,;]+$/;

/** Requests that have the form of questions or wishes; what is asked for follows. */
export const REQUEST = startOf(
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
  ],
  "(?!')[, ]*",
);
/** Requests to say something, which are questions. */
export const INFORMATION = /^(?:could|can|would|will) you (?:please )?(?:tell|explain|show|say)\b/;
/** Phrases that wish a thing to be otherwise. */
export const WISH =
  /\b(?:should|must|shall|ought to|(?:needs?|has|have|is|are) to|need)\b|\b(?:can|may) (?:go|be (?:removed|dropped|deleted))\b/;
/** A wish of what a thing is not to do; not of what is not to be done to it, nor of what the sender shows. */
export const WISH_NOT = new RegExp(
  "^(?:(?!\\b(?:i|we|you|this|that|it|these|those|they|nobody|there|here|below|what|which|who|(?:patch|diff|change|request|message|order|block)s?)\\b)[^,;:]){1,80}?" +
    " (?:should|must|shall)(?: not| never|n't) (?!be\\b)",
);
/** Reason of a wish, up to the next comma. */
export const REASON =
  /(?<!as soon|as long) (?:because|since|as (?:it|they|we|users|people|that)|so that|in order to)\b[^,;]*/g;
/** Circumstances in spite of which a wish holds, which are no condition. */
export const ANYWAY = /\beven (?:if|when|where)\b[^,;]*/g;

export const NEGATED_START = startOf([
  "(?:do not|don'?t|dont)(?! require\\b)",
  "never|not|no(?! longer)|nobody|neither",
  "avoid|refrain|hold (?:off|on)|wait|stop short|never ?mind",
  "under no|by no means|in no|on no account",
  "(?:i|we) (?:don'?t|do not|would not|wouldn'?t|never)",
  "(?:forget|ignore|disregard|discard|skip|reject|refuse|decline|withdraw|scratch|cancel) (?:it|this|that|these|those|them|the (?:above|below|following|attached|quoted|block|patch|diff|change|message|request|rest|previous))",
]);
export const NEGATED = new RegExp(
  [
    "\\b(?:must|should|shall|may|might|can|could|would|will|need|ought to|do|does|did|is|are|was|were|has|have|had|let'?s)(?:n'?t| not| never)\\b(?! require\\b)",
    "\\bcannot\\b|\\b(?:won|can|ain)'?t\\b",
    "\\bno (?:need|reason|way) to\\b",
    "\\bnot (?:to be )?(?:appl|do|make|set|use|merge|accept|commit|yet)",
  ].join("|"),
);

export const CONDITION_START = startOf([
  "if|unless|whenever|once|until|as soon as|in case|assuming|suppose|supposing|provided|providing|given that",
  "when(?! (?:of|in)\\b)",
  "should (?!we|i\\b|you|it\\b|there)\\w*",
  "were|had (?:we|you|it|they)",
  "only (?:if|when|after|once)",
]);
export const CONDITION = new RegExp(
  [
    "\\b(?:if|unless|in case|assuming|provided that|as long as|as soon as|whenever|otherwise|depending on|whether|whichever|only when)\\b",
    "\\bwhen (?:you|we|they|he|she|it|the (?:tests?|checks?|build))\\b",
    "\\b(?:after|before|once|until|when) (?:[\\w']+ ){0,5}(?:approv|agree|confirm|review|pass|merg|finish|green|ok\\b|okay|sign)",
  ].join("|"),
);

export const QUESTION_START = startOf([
  "why|what(?! (?:i|we|is needed|is missing)\\b)|how|who|whom|whose|which|where|when",
  "is|are|was|were|does|do (?:you|we|i|they)|did|has|have (?:you|we|they)",
  "should (?:we|i|you|it|there)|shall (?:we|i)|am i|may i|can i|could i",
  "would (?:it|this|that|they|chat|you)|will (?:it|this|that|they)",
  "isn'?t|aren'?t|doesn'?t|don'?t you|any idea",
  "(?:could|can) you (?:tell|explain|show|say)",
]);

const SPEECH =
  "says?|said|saying|writes?|wrote|written|tells?|told|asks?|asked|asking|claims?|claimed|suggests?|suggested|proposes|proposed|" +
  "requests?|requested|demands?|demanded|reports?|reported|replies|replied|answered|mentions?|mentioned|posts|posted|sends?|sent|" +
  "submits|submitted|insists?|insisted|recommends?|recommended|thinks?|thought|wants?|wanted|wishes|wished|complains?|complained|" +
  "forwarded|quotes?|quoted|pasted|commented|begs?|begged|urges?|urged|orders?|ordered|instructs?|instructed|believes?|states|" +
  "stated|reads?|goes|would like";
const ARTICLE = "the|an?|our|my|your|his|her|their|this|that|these|those";
const MODAL = "should|must|shall|can|could|would|will|may|has|needs?|to";
const OTHERS = [
  "he|she|they|somebody|someone|anybody|everybody|everyone|people|users|customers|clients|others|it|who|which",
  `(?:${ARTICLE}|one|another|some|every|each|most|many|several|two|three)(?: (?!(?:${MODAL}|i|we)\\b)[\\w'-]+){1,4}?`,
  "[a-z][\\w.'-]* (?:from|at|in) [\\w'-]+",
  `(?!(?:${ARTICLE})\\b)[a-z]\\w*`,
].join("|");

/** Speech of a person other than the sender. */
export const OTHERS_SPEECH = new RegExp(
  "^(?:(?:yesterday|today|now|recently|again|once|as|and|but|because|since|in the \\w+|last \\w+|this \\w+|on \\w+|according to [^,]{1,60}),? )*" +
    `(?:${OTHERS}) (?:(?:just|also|then|once|has|have|had|is|was|were|are|now|even|really|always|often|kindly) )*(?:${SPEECH})\\b`,
);
/** The sender speaks, or is spoken for. */
export const OWN_SPEECH = startOf(["i|we|you|let|please"]);
/** Verbs of speech that can also be nouns, allowed after names only: "support wrote". */
export const ANYBODYS_SPEECH =
  /^(?!(?:i|we|you)\b)[\w.'-]+ (?:said|wrote|says|writes|asked|asks|told|tells|wants|wanted|sent|suggested|suggests|thinks|insists|insisted|complained|complains|begs|would like)\b/;
export const RECEIVED =
  /\b(?:i|we) (?:just |have |also |once )*(?:got|received|found|saw|read|heard|were (?:sent|told|asked)|was (?:sent|told|asked))\b/;
/** Attribution of words to a speaker, behind the words or before them. */
export const ATTRIBUTION = new RegExp(
  [
    "(?:,|\\ufffc) ?(?:says|said|writes|wrote|asks|asked|begs|urges) [\\w' .-]{1,60}\\W*$",
    `(?:,|\\ufffc) ?(?:${OTHERS}) (?:says?|said|writes?|wrote|asks?|asked|told|insists?|claims?)\\W*$`,
    "(?:^|, )according to\\b",
    `\\bas (?:${ARTICLE}) [\\w' -]{1,40} (?:says?|said|wrote|asked|put it|requested|demanded)\\W*$`,
  ].join("|"),
);
/** Characters that have others read in another order. */
export const TURNED = /[\u202a-\u202e\u2066-\u2069]/;

/** Any of some words at the beginning, with what follows. */
function startOf(words: readonly string[], behind = "", times = ""): RegExp {
  return new RegExp(`^(?:(?:${words.join("|")})\\b${behind})${times}`);
}
