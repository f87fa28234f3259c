import type { Clause } from "../clause.ts";
import { STOP, words } from "../words/word-lists.ts";
import type { Sign, Signs } from "./signs.ts";

/** Least probability of a guess that is done unasked, and that of one whose message clearly wants such a change. */
const SURE = 0.9;
const CLEARLY_SURE = 0.8;
/** How much likelier than by chance a message wants such a change, as a binary logarithm, and how likely it may want none, to do so clearly. */
const CLEAR = 2;
const CLEARLY_IDLE = 0.1;
/** How likely a message whose wish is done unasked may want no change. */
const IDLE = 0.4;
/** Signs that keep a guess from being done unasked, however likely it is. */
const DOUBTS: readonly Sign[] = [
  // How the message speaks.
  ...(["hints", "forbids", "depends", "inquires", "others"] as const),
  // What of it the guess leaves aside.
  ...(["leftNumber", "leftQuoted", "leftName", "leftVerb", "leftNew", "leftNegator", "leftTurn"] as const),
  // What speaks against it.
  ...(["against", "rough", "unsure", "loose", "otherKey", "crossed", "otherTime", "otherWords", "everywhere"] as const),
  // Hosts, permissions and names are never changed on a guess, and no field is added that the code does not use.
  ...(["elsewhere", "right", "rename", "addField"] as const),
];
/** Doubts that count no more where a message clearly wants such a change: how it speaks, and a negation that belongs to that. */
const MILD: ReadonlySet<Sign> = new Set<Sign>(["hints", "leftNegator"]);
/** Words that nothing knows, as the binary logarithm of one more, at most. */
const UNKNOWN = 3;
/** Small words of a known language that a message has; one in another language may have our names, but not these. */
const SMALL_WORDS = 3;
/** Words that set a condition or a time. */
const CONDITIONS = words(
  "if unless once until till when whenever provided assuming suppose before after soon case wenn falls sofern sobald bis si cuando quand lorsque",
);
const ELSEWHERE = /[?？]|如果|要是|假如|除非|的时候/u;

/** Tells whether a guess of that probability explains all of a message that asks for one thing plainly. */
export function isSure({ tokens, text, amounts }: Clause, signs: Signs, share: number): boolean {
  const idle = signs.idle ?? 0;
  const isClear = (signs.intent ?? 0) >= CLEAR && idle < CLEARLY_IDLE && (signs.leftUnknown ?? 0) === 0;
  const doubts = DOUBTS.filter((sign) => (signs[sign] ?? 0) !== 0);
  return (
    share >= (isClear && doubts.length === 0 ? CLEARLY_SURE : SURE) &&
    idle < IDLE &&
    (signs.asks === 1 || (isClear && signs.hints === 1)) &&
    doubts.every((sign) => isClear && MILD.has(sign)) &&
    // "From 5 to 6" where it is 4.
    ((signs.now ?? 0) > 0 || !amounts.some(({ role }) => role === "from")) &&
    // A number that only fits somewhere could be about anything.
    (signs.number === undefined || (signs.name ?? 0) > 0 || (signs.now ?? 0) > 0) &&
    (signs.leftUnknown ?? 0) <= UNKNOWN &&
    ((signs.leftUnknown ?? 0) <= 1 || tokens.filter(({ lower }) => STOP.has(lower)).length >= SMALL_WORDS) &&
    !ELSEWHERE.test(text) &&
    !tokens.some(({ lower, kind }) => kind === "word" && CONDITIONS.has(lower))
  );
}
