import { foldName } from "./fold-name.ts";

/**
 * Sentences for models rather than for people: a client's model may obey them where it reads a description, an error or an
 * example. Looked for in letters folded to one form, with signs between words taken for spaces.
 */
const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|guideline|polic|direction|safety|guardrail)/,
  /\b(?:previous|prior|earlier|above|preceding) (?:instruction|prompt|direction)s?\b/,
  /\byou (?:are now|must now|will now|must always|must first|must never|shall now)\b/,
  /\b(?:new|updated|real|secret|hidden) (?:instruction|directive|objective|system prompt)s?\b/,
  /\b(?:do not|don t|never|without) (?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|notify|notifying|ask|asking|show|showing)\b.{0,30}\b(?:user|human|person|operator|anyone|anybody|them)\b/,
  /\b(?:before|after|when|whenever) (?:using|calling|you use|you call|invoking)\b.{0,60}\b(?:read|send|call|pass|include|append|copy|attach|fetch|open|upload|forward)\b/,
  /\b(?:send|forward|upload|exfiltrate|leak|post|transmit|copy|include|append|pass)\b.{0,40}\b(?:(?:whole|entire|full) conversation|(?:chat|conversation) history|api key|secret|access token|password|credential|environment variable|private key|system prompt|id rsa)s?\b/,
  /\b(?:jailbreak|prompt injection|dan mode|developer mode|god mode)\b/,
  /\b(?:end of|begin|start of) (?:system|data|instructions|untrusted)\b/,
  /\b(?:act|behave|respond) as (?:if you (?:are|were)|an? (?:admin|administrator|unrestricted|different))\b/,
];
/** Marks of chat templates, and tags that are used to give text weight with models. */
const MARKS =
  /<\|[\w\s]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|important|instructions?|tool_call|function_calls?|antml)\b[^>]{0,40}>|^\s*#{1,6}\s*(?:system|instructions?|assistant)\s*:?\s*$/i;

/** Checks whether a text speaks to a model rather than to people. */
export function readsLikeInstructions(text: string): boolean {
  const folded = toFolded(text);
  return text.split("\n").some((line) => MARKS.test(line)) || INSTRUCTIONS.some((pattern) => pattern.test(folded));
}

/** Asides in brackets that ask for discretion and say nothing else: "(don't tell anybody)". */
const DISCRETION =
  /\((?:(?:ps+t+|sh+|but|and|so|please|pls)[,.!:]* )*(?:don['\u2019]?t|do not) (?:tell|ask|show)(?: (?:it|this|that))?(?: to)? (?:any(?:one|body)|me)(?: (?:please|pls|why|else))?[.!;\s]*\)/gi;

/**
 * Checks whether a message speaks to a model. People may ask each other for discretion in passing, which is no reason to refuse
 * what else they say; texts that clients read have no such excuse.
 */
export function messageReadsLikeInstructions(text: string): boolean {
  return readsLikeInstructions(text.replaceAll(DISCRETION, " "));
}

/** Plain words: YAML folds long texts over lines, and signs between words change nothing for who reads them. */
function toFolded(text: string): string {
  return foldName(text)
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, " ");
}
