import type { Clause } from "../clause.ts";
import { withoutDefaultCase } from "../stance.ts";
import { STOP, words } from "../words/word-lists.ts";
import type { Sign, Signs } from "./signs.ts";

/** Least probability of a guess that is done unasked. */
const SURE = 0.8;
/** Least probability of a guess with a mild doubt, where the message clearly wants such a change, and where it only seems to. */
const MILDLY_SURE = 0.85;
const SURE_ALL_THE_SAME = 0.95;
/** Least probability of a guess about hosts or permissions, which a message has to want clearly, too. */
const GRAVELY_SURE = 0.9;
/** How much likelier than by chance a message wants such a change, as a binary logarithm, and how likely it may want none, to do so clearly. */
const CLEAR = 1;
const CLEARLY_IDLE = 0.1;
/** The latter of a message that only hints at what it wants, as reports of what went wrong do. */
const HINTING_IDLE = 0.03;
/** How likely a message whose wish is done unasked may want no change. */
const IDLE = 0.4;
/** Signs that keep a guess from being done unasked, however likely it is. */
const DOUBTS: readonly Sign[] = [
  // How the message speaks.
  ...(["forbids", "depends", "inquires", "others"] as const),
  // What of it the guess leaves aside.
  ...(["leftNumber", "leftQuoted", "leftName", "leftNew", "leftVerb", "leftWish", "leftTurn"] as const),
  // What speaks against it.
  ...(["rough", "unsure", "crossed", "otherTime", "otherWords", "everywhere"] as const),
  // The agent's own texts are never changed on a guess, and no field is added that the code does not use.
  ...(["agent", "addField"] as const),
];
/** Signs of guesses about hosts and permissions, whose change waits for a person in any case. */
const GRAVE: readonly Sign[] = ["elsewhere", "right"];
/** Signs of doubt that a message outweighs by clearly wanting such a change. */
const MILD: readonly Sign[] = ["hints", "leftNegator", "against", "loose", "otherKey", "rename"];
/** Words that nothing knows, as the binary logarithm of one more, at most. */
const UNKNOWN = 3;
/** Small words of a known language that a message has; one in another language may have our names, but not these. */
const SMALL_WORDS = 3;
/** Words that set a condition or a time. */
const CONDITIONS = words(
  "if unless once until till when whenever provided assuming suppose before after soon case wenn falls sofern sobald bis si cuando quand lorsque",
);
const CHINESE_CONDITIONS = /如果|要是|假如|除非|的时候/u;
/** Words of a wish for more things than a guess is about: "remove all tools". */
const QUANTITIES = words("all both everything alle beide todos todas ambos tous toutes");
const CHINESE_QUANTITIES = /所有|全部/u;
const QUESTION = /[?？]/u;
/** Questions that are put to somebody who is to do it: "could you raise ...?"; "can nurses raise ...?" may only want to know. */
const PLEA =
  /\b(?:could|can|would|will) (?:you|we)\b|\b(?:please|pls|bitte|por favor|svp)\b|s['’]il (?:te|vous)|\b(?:kannst|könntest|könntet|könnten|podrías|podríais|podéis|puedes|podemos|pourriez|pourrais|peux-tu|pouvez|peut-on)\b|能不能|能否|可否|请/iu;

/**
 * Tells whether a guess of that probability explains all of a message that asks for one thing plainly. `mayBeTakenBack`: a sentence
 * of the message is one of those that could take a wish back.
 */
export function isSure(
  { tokens, text, amounts }: Clause,
  { signs, share, mayBeTakenBack }: { readonly signs: Signs; readonly share: number; readonly mayBeTakenBack: boolean },
): boolean {
  const idle = signs.idle ?? 0;
  const has = (sign: Sign) => (signs[sign] ?? 0) !== 0;
  const isClear = (signs.intent ?? 0) >= CLEAR && idle < (has("hints") ? HINTING_IDLE : CLEARLY_IDLE);
  const isMild = mayBeTakenBack || MILD.some(has);
  const isGrave = GRAVE.some(has);
  const least = isGrave ? GRAVELY_SURE : isMild ? (isClear ? MILDLY_SURE : SURE_ALL_THE_SAME) : SURE;
  return (
    share >= least &&
    (isClear || !(isGrave || has("hints"))) &&
    idle < IDLE &&
    (signs.asks === 1 || signs.hints === 1) &&
    !DOUBTS.some(has) &&
    // A thing goes only where a word says so.
    !(has("noVerb") && (has("example") || has("removeTool"))) &&
    // "From 5 to 6" where it is 4.
    ((signs.now ?? 0) > 0 || !amounts.some(({ role }) => role === "from")) &&
    // A number that only fits somewhere could be about anything.
    (signs.number === undefined || (signs.name ?? 0) > 0 || (signs.now ?? 0) > 0) &&
    (signs.leftUnknown ?? 0) <= (isGrave ? 0 : UNKNOWN) &&
    ((signs.leftUnknown ?? 0) <= 1 || tokens.filter(({ lower }) => STOP.has(lower)).length >= SMALL_WORDS) &&
    (!QUESTION.test(text) || (isClear && PLEA.test(text))) &&
    !setsCondition(text) &&
    !hasWord(text, QUANTITIES, CHINESE_QUANTITIES)
  );
}

function setsCondition(text: string): boolean {
  return hasWord(withoutDefaultCase(text), CONDITIONS, CHINESE_CONDITIONS);
}

function hasWord(text: string, list: ReadonlySet<string>, chinese: RegExp): boolean {
  const lower = text.toLowerCase();
  return chinese.test(lower) || lower.split(/[^\p{L}]+/u).some((word) => list.has(word));
}
