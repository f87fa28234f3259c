import type { Clause } from "../clause.ts";
import { operationOf } from "../learned/operations.ts";
import { withoutDefaultCase } from "../stance.ts";
import { TURNING, words } from "../words/word-lists.ts";
import type { Sign, Signs } from "./signs.ts";

/** Least probability of a guess that is done unasked; `npm run fit:feedback` shows how often such guesses are wrong for agents that were not seen. */
export const SURE = 0.85;
/** Signs that keep a guess from being done unasked, however likely it is. */
const DOUBTS: readonly Sign[] = [
  // How the message speaks.
  ...(["hints", "forbids", "depends", "inquires", "others"] as const),
  // What of it the guess leaves aside.
  ...(["leftNumber", "leftQuoted", "leftName", "leftVerb", "leftNew"] as const),
  // What speaks against it.
  ...(["unsure", "crossed"] as const),
];
/** Hosts, commands, permissions and names are never changed on a guess. */
const GUARDED: ReadonlySet<string> = new Set(words("grant revoke removeRole host command capability rename self"));
/** Probability that a message asks for nothing from which on nothing is done unasked. */
const NOTHING = 0.5;
/** Words that set a condition or a time. */
const CONDITIONS = words("if unless once until till provided assuming suppose wenn falls sofern sobald bis si");
/** Words of comparisons and choices, which turn nothing round that a likely reading explains. */
const HARMLESS = words(
  "above below under beneath exceed exceeds or oder but without either neither nor sino sin sans ohne",
);
const ELSEWHERE = /[?？]|如果|要是|假如|除非|的时候/u;
/** Words by which a message asks for one thing in several places, forbids what it says, or only thinks aloud. */
const WIDER =
  /\b(?:consider|perhaps|maybe|both|each of|respectively|beide\w*|ambos|ambas|circumstances|on no account|wrong to)\b|keinen fall|keinesfalls/i;

/** Tells whether a guess explains all of a message that asks for one thing plainly. */
export function isSure({ text, amounts }: Clause, signs: Signs, name: string): boolean {
  const bare = withoutDefaultCase(text);
  const said = new Set(words(bare.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")));
  return (
    signs.asks === 1 &&
    // "From 5 to 6" where it is 4.
    ((signs.now ?? 0) > 0 || !amounts.some(({ role }) => role === "from")) &&
    DOUBTS.every((sign) => (signs[sign] ?? 0) === 0) &&
    (signs.none ?? 0) < Math.log(NOTHING) &&
    !name.split(" & ").some((one) => GUARDED.has(operationOf(one))) &&
    ((signs.several ?? 0) > 0 || !WIDER.test(text)) &&
    !ELSEWHERE.test(bare) &&
    // "On weekends", "during the night": a limit that no word of the version explains.
    ((signs.leftTurn ?? 0) === 0 || (signs.leftUnknown ?? 0) === 0) &&
    ![...CONDITIONS].some((word) => said.has(word)) &&
    ![...TURNING].some((word) => said.has(word) && !HARMLESS.has(word))
  );
}
