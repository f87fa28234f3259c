import { maskQuotations } from "../../message/find-quotations.ts";
import type { Message, Sentence } from "../../message/message.ts";
import { ownSentences } from "../../message/read-message.ts";
import { type Clause, readClause } from "./clause.ts";
import { has } from "./drafts/draft.ts";
import { isStay } from "./is-stay.ts";
import type { Places } from "./places/places.ts";
import { type Resolved, resolve, resolveWhole } from "./resolve.ts";
import { type Standing, standingOf } from "./standing.ts";
import { withoutDefaultCase } from "./words/default-case.ts";

/** A sentence of a message, with what it asks for if it may ask for anything. */
export interface Heard {
  readonly sentence: Sentence;
  readonly standing: Standing;
  readonly resolved?: Resolved | undefined;
}

const SENTENCES = 20;
const CONDITIONAL =
  /\b(?:if|unless|once|until|till|when|whenever|provided|assuming|after|before|as soon as|in case)\b/iu;
/** Words behind a wish that may take it back, or put it off. */
const TAKES_BACK =
  /\b(?:never ?mind|forget|scratch|cancel|ignore|disregard|on second thoughts?|kidding|joking|just a test|hypothetical|for example|don'?t|do not|not|no|wait|hold on|later|undo|first|unless|only|but|however|until|before|once|ask|doch nicht|nein|mejor no|plutôt pas|算了)\b|算了|不/i;
/** Cost below which a reading may be offered. */
export const OFFERED = 2.3;
/** Cost below which a sentence that tells something may be a wish. */
const CLOSE = 1.2;
/** Characters of a message that are read as one wish. */
const JOINED = 1_000;

/** "Remove it from the booking" names nothing that is to go. */
const PRONOUN =
  /\b(?:remove|drop|delete|kill|retire|deprecate|take|rid of|scrap|lose|ditch|cut|strip|strike|chuck|purge|eliminate|withdraw|zap|wipe|discard|exclude|abolish|throw) (?:it|that|this|them|those|these)\b/i;

/** A word for what was named before: "the tool". */
export const SUCH =
  /\b(?:the|this|that|same) (?:tool|call|field|argument|input|parameter|experiment|role|label|arm|host)\b(?! \w*[_.]\w)/iu;

/** Reads each sentence by itself. */
export function hear(message: Message, places: Places): readonly Heard[] {
  const sentences = ownSentences(message).filter(({ introduces, text }) => !introduces && !isStay(text));
  return sentences.slice(0, SENTENCES).map((sentence, at) => {
    const standing = standingOf(sentence);
    const acts = standing === "order" || standing === "fragment";
    const resolved = acts ? resolve(sentence.text, places) : undefined;
    return {
      sentence,
      standing,
      resolved:
        at > 0 && (PRONOUN.test(sentence.text) || SUCH.test(maskQuotations(sentence.text)))
          ? toOpen(resolved, sentence.text, places)
          : resolved,
    };
  });
}

/** A clear reading made one of several: what is removed was named in a sentence before. */
function toOpen(resolved: Resolved | undefined, text: string, places: Places): Resolved | undefined {
  return resolved?.kind === "clear"
    ? { kind: "open", clause: readClause(text, places), drafts: resolved.drafts }
    : resolved;
}

/** Tells whether a sentence may take a wish back: any but orders and reports. A negation before the wish only gives a reason. */
export function isTakenBack(heard: readonly Heard[]): boolean {
  const last = heard.findLastIndex(({ standing, resolved }) => standing === "order" || resolved?.kind === "clear");
  return heard.some(({ standing, sentence }, at) => {
    if (at > last && last >= 0 && TAKES_BACK.test(sentence.text)) return true;
    if (standing === "negation")
      return (
        at > last ||
        /^(?:please |pls )?(?:don'?t|do not|never|no(?! (?:one|tool|role|caller|command|run)s?\b))\b/i.test(
          sentence.text,
        )
      );
    return standing === "condition"
      ? !isDefaultCase(sentence.text)
      : !["order", "fragment", "aside"].includes(standing);
  });
}

/** Tells whether all that a sentence sets as a condition is that nothing is given: then a default counts, whatever it is. */
function isDefaultCase(text: string): boolean {
  const rest = withoutDefaultCase(text);
  return rest !== text && !CONDITIONAL.test(rest);
}

/** Tells whether nothing of a message is left to guess: every order is clear, and every fragment is clear or has no content. */
export function isAllClear(heard: readonly Heard[]): boolean {
  const acting = heard.filter(({ resolved }) => resolved !== undefined);
  const isSilent = ({ standing, resolved }: Heard) =>
    standing === "fragment" &&
    !isWishful(resolved) &&
    !(resolved?.kind === "open" && (has(resolved.clause, ...DOING) || quotes(resolved.clause)));
  return (
    acting.some(({ resolved }) => resolved?.kind === "clear") &&
    acting.every((one) => one.resolved?.kind === "clear" || isSilent(one))
  );
}

/** Tells whether a part of a message gives a text: it is for something. */
function quotes({ tokens }: Clause): boolean {
  return tokens.some(({ kind }) => kind === "quoted");
}

/** Verbs that ask for something whatever they stand beside: "oh, and drop the fax". */
const DOING = ["remove", "revoke", "deprecate", "disable", "rename", "promote", "revert"] as const;

/** Tells whether a fragment may be a wish: it names a thing and a value. */
function isWishful(resolved: Resolved | undefined): boolean {
  return resolved?.drafts.some(({ deed, cost }) => deed !== undefined && cost < OFFERED) === true;
}

/** Tells whether a sentence that seems to tell something comes close to asking for something of its own. */
export function tellsOfMore(heard: readonly Heard[], places: Places): boolean {
  return heard.some(({ standing, sentence }) => {
    const resolved = standing === "aside" ? resolve(sentence.text, places) : undefined;
    return resolved?.drafts.some(({ deed, cost }) => deed !== undefined && cost < CLOSE) === true;
  });
}

/** All that a message says but in the words of others. */
export function toldText(heard: readonly Heard[]): string {
  return joinSentences(heard.flatMap(({ standing, sentence }) => (standing === "others" ? [] : [sentence.text])));
}

/** Joins sentences to a text in which each still ends: a semicolon follows those that lost what stood behind them. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.map((text, at) => (at === sentences.length - 1 ? text : toEnded(text))).join(" ");
}

function toEnded(sentence: string): string {
  return /[\p{L}\p{N}"”'’\x60)\]]$/u.test(sentence) ? `${sentence};` : sentence;
}

/** All that a message says, as one wish: what one sentence names, another may say what is to become of. */
export function hearAll(heard: readonly Heard[], places: Places): Resolved | undefined {
  const told = heard.filter(({ standing }) => standing !== "others");
  const text = toldText(heard);
  if (text.length > JOINED) return undefined;
  const resolved = resolveWhole(text, places);
  if (resolved.kind === "open") return resolved;
  // The value has to be in a sentence that asks for something.
  let at = 0;
  const orders = told.flatMap(({ sentence, standing }) => {
    const span = { start: at, end: at + sentence.text.length };
    at += toEnded(sentence.text).length + 1;
    return standing === "order" || standing === "fragment" ? [span] : [];
  });
  const clause = readClause(text, places);
  const isOrdered = (place: number) =>
    orders.some(
      ({ start, end }) => (clause.tokens[place]?.start ?? 0) >= start && (clause.tokens[place]?.end ?? 0) <= end,
    );
  const [draft] = resolved.drafts;
  const verbs = [...clause.actions.values()].flat();
  const values = [...(draft?.values ?? [])];
  const isWished =
    values.length > 0
      ? values.some(isOrdered)
      : verbs.some((place) => draft?.explained.has(place) === true && isOrdered(place));
  return isWished ? resolved : { kind: "open", clause, drafts: resolved.drafts };
}

/** Tells whether a message may be a wish at all: a sentence of it asks for something, or reports something wrong or unwanted. */
export function mayAsk(heard: readonly Heard[]): boolean {
  return (
    heard.some(({ standing }) => ["order", "fragment", "negation", "condition"].includes(standing)) ||
    heard.some(
      ({ standing, sentence }) => standing === "question" && /^(?:could|can|would|may|should)\b/i.test(sentence.text),
    )
  );
}
