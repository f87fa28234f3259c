/** Meaning of a message without a request. */
export type SmallTalk = "greeting" | "help" | "thanks" | "goodbye" | "cancel";

const END = String.raw`[\s!.?,:)]*$`;
const PATTERNS: readonly (readonly [SmallTalk, RegExp])[] = [
  [
    "help",
    new RegExp(
      String.raw`^(?:(?:please\s+)?help(?:\s+me)?(?:\s+please)?|\?+|commands|capabilities|menu|start|/help|/start)${END}`,
      "i",
    ),
  ],
  [
    "help",
    new RegExp(
      String.raw`^(?:(?:so|ok|okay|hi|hello|hey)[\s,!]+)?(?:(?:and\s+)?what\s+(?:else\s+)?(?:can|could|do)\s+(?:you|i)\s+(?:do|help|offer|know|ask|say)(?:\s+(?:here|for\s+me|you|with|about|for))*|what\s+(?:are|is)\s+(?:you|your\s+(?:tools|capabilities|features))|who\s+are\s+you|how\s+(?:do|does|can|should)\s+(?:i|this|it|you)\s+(?:work|use\s+(?:this|you|it))|(?:(?:which|what)\s+tools\s+(?:do\s+you\s+have|are\s+there|can\s+you\s+use)|(?:list|show)(?:\s+me)?(?:\s+(?:your|the|all|available))*\s+tools))${END}`,
      "i",
    ),
  ],
  [
    "greeting",
    new RegExp(
      String.raw`^(?:hi|hello|hey|howdy|greetings|good\s+(?:morning|afternoon|evening|day)|yo)(?:\s+(?:there|all|everyone|cairn|bot|friend))?${END}`,
      "i",
    ),
  ],
  [
    "thanks",
    new RegExp(
      String.raw`^(?:(?:ok|okay|great|cool|perfect|nice|awesome)[\s,!]*)*(?:many\s+)?(?:thanks|thank\s+you|thx|ty|cheers)(?:\s+(?:a\s+lot|so\s+much|very\s+much))?${END}`,
      "i",
    ),
  ],
  ["thanks", new RegExp(String.raw`^(?:great|cool|perfect|nice|awesome|good|wonderful)${END}`, "i")],
  [
    "goodbye",
    new RegExp(String.raw`^(?:bye|goodbye|good\s*bye|good\s+night|see\s+you(?:\s+later)?|farewell|ciao)${END}`, "i"),
  ],
  [
    "cancel",
    new RegExp(
      String.raw`^(?:cancel|never\s*mind|forget\s+(?:it|that|about\s+it)|stop|abort|drop\s+it|leave\s+it|nothing)${END}`,
      "i",
    ),
  ],
];

/** A message that is small talk from beginning to end; one that also asks for something is not. */
export function readSmallTalk(message: string): SmallTalk | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(message.trim()))?.[0];
}

const ABOUT =
  /^(?:please\s+)?(?:help(?:\s+me)?\s+(?:with|on|about)|how\s+(?:do|can|should)\s+i\s+use|what\s+does|explain|describe|tell\s+me\s+about|what\s+is)\s+(?<what>.+?)(?:\s+do)?[\s?.!]*$/i;

/** Finds the topic of a message such as "help with the weather". */
export function readHelpTopic(message: string): string | undefined {
  return ABOUT.exec(message.trim())?.groups?.["what"];
}
