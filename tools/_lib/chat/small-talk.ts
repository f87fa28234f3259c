/** Meaning of a message without a request. */
export type SmallTalk = "greeting" | "help" | "thanks" | "goodbye" | "cancel";

const END = String.raw`[\s!.?,:;)]*$`;
const JOIN = String.raw`[\s,!.?;:-]*`;
const GREETING = String.raw`(?:hi+|hello|hey+|heya|hiya|howdy|greetings|welcome|yo|sup|good\s+(?:morning|afternoon|evening|day)|how\s+are\s+you(?:\s+(?:doing|today))*|how['’]?s\s+(?:it\s+going|things)|what['’]?s\s+(?:up|new)|nice\s+to\s+meet\s+you|(?:is\s+)?(?:any(?:body|one)|some(?:body|one))\s+(?:there|here|home)|are\s+you\s+there)`;
const WHOM = String.raw`(?:there|all|everyone|everybody|folks|team|again|cairn|bot|friend|you|today)`;
const THANKS = String.raw`(?:(?:many\s+)?(?:thanks|thank\s+you|thx|ty|tyvm|cheers)(?:\s+(?:a\s+lot|so\s+much|very\s+much|again|for\s+(?:your|the)\s+(?:help|answer|info|information)|anyway))*|that['’]?s\s+(?:all|it|everything)(?:\s+(?:i|we)\s+(?:needed|wanted)(?:\s+to\s+know)?)?(?:\s+for\s+now)?|(?:that\s+(?:was|is)\s+)?(?:great|cool|perfect|nice|awesome|good|wonderful|lovely|helpful|brilliant|excellent)|ok|okay|got\s+it|understood)`;
const BYE = String.raw`(?:bye(?:[\s-]bye)?|goodbye|good\s*bye|good\s+night|see\s+(?:you|ya)(?:\s+(?:later|soon|tomorrow))?|farewell|ciao|take\s+care|have\s+a\s+(?:nice|good|great)\s+(?:day|evening|weekend|one))`;
const HELP = String.raw`(?:(?:please\s+)?help(?:\s+me)?(?:\s+please)?|\?+|commands|capabilities|menu|start|/help|/start|(?:and\s+)?what\s+(?:else\s+)?(?:can|could|do)\s+(?:you|i|we)\s+(?:do|help|offer|know|ask|say|use)(?:\s+(?:here|for\s+me|you|with|about|for|everything|all))*|what\s+(?:are|is)\s+(?:you|this(?:\s+(?:thing|bot|chat|place))?|your\s+(?:tools|capabilities|features))(?:\s+(?:for|good\s+for))?|who\s+are\s+you|how\s+(?:do|does|can|should)\s+(?:i|we|this|it|you)\s+(?:work|use\s+(?:this|you|it))|(?:which|what)\s+tools\s+(?:do\s+you\s+(?:have|know|offer)|are\s+(?:there|available)|can\s+(?:you|i)\s+use)(?:\s+(?:here|on\s+this\s+server|for\s+me))*|(?:(?:can|could)\s+you\s+)?(?:please\s+)?tell\s+me\s+what\s+(?:you\s+(?:can\s+)?do|you\s+are|this\s+is)(?:\s+for\s+me)?|how\s+(?:do|can|should)\s+i\s+(?:talk\s+to|start|begin|ask)(?:\s+you)?|(?:list|show)(?:\s+me)?(?:\s+(?:your|the|all|available))*\s+tools|(?:i\s+)?(?:don['’]?t|do\s+not)\s+(?:know|understand|get)\s+(?:how\s+(?:this|it|that|you)\s+works?|what\s+(?:to|i\s+can)\s+(?:do|say|ask)(?:\s+here)?)|(?:can|could|would)\s+you\s+(?:please\s+)?(?:explain|help)(?:\s+(?:me|it|this|how\s+(?:this|it)\s+works))*|(?:please\s+)?explain(?:\s+(?:it|this|how\s+(?:this|it)\s+works))?)`;
const CANCEL = String.raw`(?:cancel|never\s*mind|forget\s+(?:it|that|about\s+it)|stop|abort|drop\s+it|leave\s+it|nothing)`;

/** In order: "hello, what can you do" asks for help, "thanks, bye" is a goodbye. */
const PATTERNS: readonly (readonly [SmallTalk, RegExp])[] = [
  ["help", repeat(`(?:so|ok|okay|${GREETING}|${WHOM})`, HELP, `(?:${HELP}|${WHOM})`)],
  ["greeting", repeat(GREETING, GREETING, `(?:${GREETING}|${WHOM})`)],
  ["goodbye", repeat(`(?:${THANKS}|${WHOM})`, BYE, `(?:${BYE}|${WHOM})`)],
  ["thanks", repeat(`(?:${THANKS}|no|yes)`, THANKS, `(?:${THANKS}|${BYE}|${WHOM})`)],
  ["cancel", new RegExp(String.raw`^${CANCEL}${END}`, "i")],
];

/** A message of `core`, with `before` and `after` around it as often as they come. */
function repeat(before: string, core: string, after: string): RegExp {
  return new RegExp(
    String.raw`^\W{0,3}(?:${before}${JOIN}(?<!\p{L})(?=.)){0,3}${core}(?:${JOIN}(?:\b|(?=\W))${after}){0,3}${END}`,
    "iu",
  );
}

/** A message that is small talk from beginning to end; one that also asks for something is not. */
export function readSmallTalk(message: string): SmallTalk | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(message.trim()))?.[0];
}

const ABOUT =
  /^(?:please\s+)?(?:help(?:\s+me)?\s+(?:with|on|about)|how\s+(?:do|can|should)\s+i\s+use|what\s+does|explain|describe|tell\s+me\s+(?:more\s+|something\s+)?about|what\s+is)\s+(?<what>.+?)(?:\s+do)?[\s?.!]*$/i;

/** Finds the topic of a message such as "help with the weather". */
export function readHelpTopic(message: string): string | undefined {
  return ABOUT.exec(message.trim())?.groups?.["what"];
}
