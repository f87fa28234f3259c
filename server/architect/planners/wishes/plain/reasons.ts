import { maskQuotations } from "../../../message/find-quotations.ts";
import type { Message, Sentence } from "../../../message/message.ts";
import { ownSentences } from "../../../message/read-message.ts";
import { addsWish } from "../leaves-sentence.ts";
import { type Standing, standingOf } from "../standing.ts";
import type { Places } from "../places/places.ts";
import { CHANGING } from "../words/phrase-index.ts";
import { STOP } from "../words/word-lists.ts";
import { toStem } from "../words/words.ts";

/** Verbs that say how something is or was. */
const STATING =
  /\b(?:is|are|was|were|has|have|had|does|do|did|will|would|(?:keep|get|run|know|send|find|say|close|fill|follow|hesitate|struggle|complain|miss|lose|turn|change|fail|break|wait|forget|confuse|mix|think|believe|love|like|hate|expect|happen|claim|grow|arrive|waste|pay|type)(?:s|es)?|got|ran|took|went|came|knew|sent|made|found|lost|left|won|\p{L}{3,}ed)\b|n['’]t\b/iu;
/** Words by which a part asks for something, or binds what another part asks for. */
const ASKING =
  /\b(?:should|must|shall|ought|need(?!s? no\b)\w*|wants?|has to|have to|had to|had better|please|pls|plz|kindly|lets?|make sure|may|might|instead|also|(?<!\bis |\bare |\bwas |\bwere |\bfar |\bmuch |\bbe )too|from now on|as of|if|unless|until|till|once|before|after|when|whenever|while|except|only|just|but|however|otherwise|maybe|perhaps|whether|or|pending|subject|provided|assuming|wait|approv\w*|agree\w*|consent\w*|confirm\w*|permission|board|legal|decid\w*|reject\w*|allow\w*|declin\w*|veto\w*|against|joke|joking|kidding|test|example|follow(?:ing|s)|below|above|this|proposal|proposed|suggest\w*|idea|draft|said|says|told|tells|wrote|writes|asked|asks|request\w*|announce\w*|promis\w*|plan(?:s|ned)?|going to|used to|already|can|go(?:es|ne)?|end(?:s|ed)?|remain\w*|stay\w*)\b|[?？"“”„«»\ufffc]/iu;
/** Places where an order may begin. */
const ORDER = /(?:^|[,;:(–—-]|\b(?:and|so|then|or)\b)\W*(?:(?:also|simply|so) )?([\p{L}']+)/giu;
/** Beginnings of parts that speak of the wish itself, or limit it. */
const ABOUT_WISH =
  /^\W*(?:(?:and|so|then|oh|well)\W+)*(?:it|its|that|those|these|they|same|no|not|never|don['’]?t|for|on|in|at|within|during|from|with|without|as|starting|next|tomorrow|today|there|could|can|would|will|what|which|who|why|how|stop|(?:my|the|his|her) (?:change|wish|order|rule|last|new|old|previous|first))\b/iu;
/** Numbers in reasons that say no more than that they do not suffice. */
const SUFFICES = /\b(?:too|tight|enough|plenty|fine|suffic\w+|small|short|low|high|large|long)\b/iu;
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|half)\b/iu;
/** Words that stand for what a reason may have named. */
export const REFERRING =
  /\b(?:it|its|them|they|their|that|this|these|those|such|there|accordingly|same|both|each|so|one|ones)\b/iu;
/** What a wish is good for: "so that they can look themselves". */
const PURPOSE = /,? so (?:that )?(?:\p{L}+ ){1,3}(?:can|could|may|know|need|do|does|get|see)\b[^.!?]*/iu;
/** Reasons before "so", and before or behind a pause. */
const BEFORE = /^(?<reason>[^,;:–—()?!]+)(?:,|;| [–—-]) (?:so|and so|hence|therefore)(?: please)?,? (?=\p{L})/iu;
const BEHIND = /(?:,|;| [–—-]) (?<reason>[^,;:()?!]+?)[.!]?\s*$/iu;

/** What good a wish would do, which asks for nothing more. */
const GOOD =
  /^\W*(?:it|that|this) (?:would|['’]d|will) (?:really |greatly |certainly )?(?:(?:save|spare|help) (?:us|me|them|people|everyone|everybody|our|the|many|a lot)\b|mean (?:a lot|so much|the world)\b)|^\W*(?:that|it)(?:['’]s| is) (?:what|how) (?:we|people|they|everybody|everyone|(?:our|the) \p{L}+) calls? (?:it|that|them)\b/iu;

/** Words of `ASKING` by which a sentence that only tells something says what people need, or how often something is so. */
const NEEDING =
  /\b(?:wants?|asks?|asked|asking|needs?|(?:has|have|had) to|may|might|too|just|also|this|can|go(?:es)?|going to|stay\w*|already|when(?:ever)?|while|so)\b/giu;
const TELLING: ReadonlySet<Standing> = new Set(["aside", "others"]);

/** Tells whether a sentence only tells something, such as what people need: "Some people want to know much earlier." */
function isTold(sentence: Sentence, places: Places): boolean {
  const said = maskQuotations(sentence.text);
  return (
    TELLING.has(standingOf(sentence)) && !/[:：]/u.test(said) && isReason(said.replaceAll(NEEDING, "keeps"), places)
  );
}

/** Tells whether a part of a message only says how things are, which may be why something is wanted. */
function isReason(part: string, places: Places): boolean {
  const masked = maskQuotations(part);
  return (
    ![...masked.matchAll(ORDER)].some(([, verb = ""]) => CHANGING.has(toStem(verb.toLowerCase()))) &&
    !ASKING.test(masked) &&
    (!NUMBER.test(masked) || SUFFICES.test(masked)) &&
    (GOOD.test(masked) || (STATING.test(masked) && !ABOUT_WISH.test(masked))) &&
    !addsWish(part) &&
    !namesThing(masked, places)
  );
}

/** Tells whether a text names a label, a role, a value, or something by a name as in code. */
function namesThing(text: string, { things, version, identifiers }: Places): boolean {
  const named = new Set<unknown>([
    ...version.history.labels.keys(),
    ...things.flatMap(({ role, values }) => [...values, ...(role === undefined ? [] : [role])]),
  ]);
  return (text.match(/[\p{L}\p{N}_.:-]*[\p{L}\p{N}]/gu) ?? []).some((word) => {
    const lower = word.toLowerCase();
    // Values such as "in" are no more than small words here.
    if (STOP.has(lower)) return false;
    return named.has(word) || named.has(lower) || (/[_.:]/.test(word) && identifiers.has(lower));
  });
}

/**
 * What a message says without the sentences and parts of sentences that may only be reasons; undefined where it has none, or nothing
 * else, or where the rest may speak of what they name.
 */
export function withoutReasons(message: Message, places: Places): string | undefined {
  const sentences = ownSentences(message);
  const told = sentences
    .filter((sentence) => !isReason(sentence.text, places) && !isTold(sentence, places))
    .map(({ text }) => withoutReason(text, places));
  const rest = told.join(" ").trim();
  const isWhole =
    rest ===
    sentences
      .map(({ text }) => text)
      .join(" ")
      .trim();
  const refers = REFERRING.test(maskQuotations(rest).replace(PURPOSE, ""));
  return rest === "" || isWhole || refers ? undefined : rest;
}

/** A sentence without the part of it that may only be a reason. */
function withoutReason(sentence: string, places: Places): string {
  const masked = maskQuotations(sentence);
  for (const pattern of [BEFORE, BEHIND]) {
    const found = pattern.exec(masked);
    const { reason = "" } = found?.groups ?? {};
    if (found === null || !isReason(reason, places)) continue;
    return `${sentence.slice(0, found.index)}${sentence.slice(found.index + found[0].length)}`;
  }
  return sentence;
}
