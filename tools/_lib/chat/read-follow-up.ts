/** A message that changes or repeats the last call rather than asking for something new. */
export interface FollowUp {
  /** True if it announces itself: "and ...", "what about ...", "... instead". */
  readonly cued: boolean;
  readonly repeat: boolean;
  /** The message without the words that make it a follow-up. */
  readonly rest: string;
}

const REPEAT =
  /^(?:please\s+)?(?:again|once\s+more|one\s+more\s+time|repeat(?:\s+(?:that|it))?|same\s+again|(?:try|do)\s+(?:it\s+|that\s+)?again|retry|refresh|update)(?:\s+please)?[\s.!?]*$/i;
const CUE =
  /^(?:(?:ok|okay|so|well|hm+|no)[\s,]+)*(?:(?:and|but|then|or)\s+)?(?:(?:what|how)\s+about\b|(?:and|but|then|or|also|now|rather|instead|try|same(?:\s+again)?(?:\s+thing)?|make\s+(?:it|that)|change\s+(?:it|that)\s+to|i\s+meant|sorry,?|no,)(?=[\s,]))/i;
/** "tokyo?" after a question about Paris. */
const BRIEF =
  /^(?!(?:who|what|why|how|when|where|which|whose|is|are|do|does|did|can|could|will|would|should|really)\b)[^\s?]+(?:\s[^\s?]+){0,2}\s?\?$/i;
const TRAILING = /[\s,]+(?:instead|too|as\s+well|rather)[\s.!?]*$/i;

export function readFollowUp(message: string): FollowUp {
  const cue = CUE.exec(message)?.[0] ?? "";
  const rest = message.slice(cue.length).replace(TRAILING, "");
  return {
    cued: cue !== "" || TRAILING.test(message) || BRIEF.test(message),
    repeat: REPEAT.test(message),
    rest: rest.trim(),
  };
}
