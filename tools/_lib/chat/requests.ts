import { withTopics } from "../language/topics.ts";
import { stem } from "../language/stem.ts";
import { type Token, toTerms, tokenise } from "../language/tokenise.ts";
import { fillArguments } from "../fill/fill-arguments.ts";
import { toRole } from "../fill/role.ts";
import { isOrderVerb } from "../language/order-verbs.ts";
import { isStopWord } from "../language/stop-words.ts";
import type { Situation } from "./situation.ts";
import type { ToolProfile } from "./tool-profile.ts";

const ASKS =
  /[?？]|^\W*(?:how|what|who|when|where|which|why|is|are|was|were|will|would|could|can|do|does|did|should|shall|has|have|please|show|tell|give|get|find|list|look|search|check|read|let|i(?:['’]d| would)? (?:want|need|like|wonder)|i wonder)\b|\b(?:please|pls|plz|wonder|tell me|show me|want to know|need to know)\b/i;
/** "The task I had was cancelled" asks for nothing. */
const TELLS =
  /^\W*(?:the|my|our|his|her|their|i|we|it|he|she|they|that|this|there)\b.*\b(?:was|were|had|got|did|is|are|am|has|have|just|\p{L}+ed)\b/iu;

/** True where a message wants to know something: what it names is not to be done. */
export function isQuestion(message: string): boolean {
  return /^\W*(?:how|what|when|why|who|which|where|is|are|was|were|do|does|did|should|has|have|would it)\b/i.test(
    message,
  );
}

/** True where a message has the form of a question or a request. */
export function isAsking(message: string): boolean {
  return ASKS.test(message);
}

/** True unless a message only tells something. */
export function isRequest(message: string): boolean {
  return isAsking(message) || !TELLS.test(message);
}

/** The sentences of a message that ask for something; one that only tells, or leads to a question, says nothing about which tool is meant. */
export function toRequests(message: string): string {
  const sentences = splitSentences(message);
  const asking = sentences.filter(
    (sentence) => isRequest(sentence) && !(sentence.endsWith(":") && TELLS.test(sentence)),
  );
  return asking.length === 0 ? message : asking.join(" ");
}

function splitSentences(message: string): readonly string[] {
  return message.split(/(?<=[.!?;:])(?<!\b(?:St|Ste|Mt|Ft|Dr|Mr|Mrs|Ms)\.)\s+/).filter((sentence) => sentence !== "");
}

/**
 * Checks that a message may mean a tool. One that changes something is not offered on a word that its description, or the verb of its name, shares
 * with half of the language: what the tool is about has to be there, or no word that could be something else.
 */
export function mayMean(message: string, { info }: ToolProfile): boolean {
  if (!info.sideEffect) return true;
  const own = toTerms(info.name.replaceAll(/[._]/g, " "));
  const nouns = toNouns(own);
  const said = toTerms(message);
  const isNamed =
    nouns.length > 0 ? nouns.some((noun) => said.includes(noun)) : own.every((term) => said.includes(term));
  return isNamed || (said.length > 0 && said.every((term) => own.includes(term)));
}

/** Nouns of a tool, by its name: the words that are no verbs of orders, or all but the last, as in `task_heartbeat`. */
function toNouns(own: readonly string[]): readonly string[] {
  const others = own.filter((term) => !isOrderVerb(term));
  return others.length === own.length ? own.slice(0, -1) : others;
}

/** Checks that words speak of a tool by its name, or of the topic of its name. */
function speaksOf(text: string, { info }: ToolProfile): boolean {
  const own = new Set(toTerms(info.name.replaceAll(/[._]/g, " ")));
  return withTopics(toTerms(text)).some((term) => own.has(term));
}

/** Words of questions about the chat itself. */
const ABOUT_CHAT = new Set(
  "help explain yourself command option feature tool able capable possible idea use work start begin ask talk something anything agent bot robot chat assistant overview limit version made"
    .split(" ")
    .map(stem),
);

/** True where a message asks what the chat can do, in whatever words: all of them are plain, and one of them is of that kind. */
export function asksAboutChat(message: string): boolean {
  const tokens = tokenise(message);
  const isAbout = (token: Token) => ABOUT_CHAT.has(token.stem);
  return tokens.some(isAbout) && tokens.every((token) => isAbout(token) || isStopWord(token.word));
}

/** The sentence that speaks of a tool and says all that it needs, where a message has others: they are about something else. */
export function toFocus(message: string, profile: ToolProfile, { moment }: Pick<Situation, "moment">): string {
  const sentences = splitSentences(message);
  if (sentences.length < 2 || profile.info.sideEffect) return message;
  const about = sentences.filter((sentence) => speaksOf(sentence, profile));
  const [only = "", ...others] = about;
  if (about.length === 0 || others.length > 0) return message;
  const { known, fields } = profile;
  const { values } = fillArguments(only, fields, { moment, known, leftovers: true });
  return fields.every(({ name, required }) => !required || Object.hasOwn(values, name)) ? only : message;
}

/** Beginnings of questions about something: "will the stock market crash next week?" names no place. */
const QUESTION =
  /^\W*(?:will|would|is|are|was|were|do|does|did|can|could|should|shall|has|have|why|who|which|where)\b/i;

const NAME_ALONE =
  /^\W*(?:[-+\d.,\s]+,[-+\d.,\s]+|\p{Lu}[\p{L}'’.-]*(?:,?\s+(?:(?:de|la|del|of|upon|am|an der)\s+)?\p{Lu}[\p{L}'’.-]*)*)\W*$/u;

/** True for a message that is a name with capital letters, or coordinates, and nothing else. */
export function isNameAlone(message: string): boolean {
  return NAME_ALONE.test(message);
}

/** The tool whose place and time or choice a message gives, and nothing else: "Oslo, tomorrow at noon", "Phoenix in Fahrenheit". */
export function findByShape(message: string, { profiles, moment }: Situation): ToolProfile | undefined {
  if (QUESTION.test(message)) return undefined;
  const fitting = profiles.filter((profile) => !profile.info.sideEffect && isPlaceAndTime(profile));
  const [only, ...others] = fitting;
  if (only === undefined || others.length > 0) return undefined;
  const { known, fields } = only;
  const { values, rest } = fillArguments(message, fields, { moment, known, leftovers: true });
  const isAlone = isNameAlone(message) && !tokenise(message).some((token) => known.has(token.stem));
  if (Object.keys(values).length < 2 && !isAlone) return undefined;
  const isFilled = fields.every(({ name, required }) => !required || Object.hasOwn(values, name));
  const own = new Set(fields.flatMap(({ words }) => words.flatMap(toTerms)));
  const isRead = tokenise(rest).every(
    (token) => isStopWord(token.word) || known.has(token.stem) || own.has(token.stem),
  );
  return isFilled && isRead ? only : undefined;
}

function isPlaceAndTime({ fields }: ToolProfile): boolean {
  const required = fields.filter((field) => field.required);
  return (
    required.length === 1 &&
    required.every((field) => field.kind === "text" && toRole(field) === "place") &&
    fields.some(({ kind }) => kind === "date-time")
  );
}
