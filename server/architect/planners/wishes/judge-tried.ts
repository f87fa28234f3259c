import type { ChangePlan, RejectPlan, TunePlan } from "../plan.ts";
import { asksOfCode } from "./asks-of-code.ts";
import type { Choice } from "./choices.ts";
import type { Clause } from "./clause.ts";
import { pointsAtNothing } from "./contrary/points-at-nothing.ts";
import { isSure } from "./guess/is-sure.ts";
import type { Heard } from "./heard.ts";
import { idleness, likelihoodOf, readIntent } from "./intent/read-intent.ts";
import { leavesSentence } from "./leaves-sentence.ts";
import { announcesMore, leavesWish } from "./leaves-wish.ts";
import { hasNamesake, isKeyByName, isLimited, isOfTools, thingOf } from "./namesakes.ts";
import type { Places } from "./places/places.ts";
import type { Ranked } from "./rank.ts";
import { muses, stanceOf } from "./stance.ts";
import { DOUBTED } from "./sureness/sureness.ts";
import { ALREADY, type Tried } from "./try-choices.ts";

/** How likely a message wants no change from which on nothing is offered, unless a choice is likelier than `LIKELIEST`. */
const IDLE = 0.95;
const LIKELIEST = 0.9;
/** How likely what is so already is meant from which on nothing else is offered. */
const SO = 0.4;

/**
 * What is put together from words of a message, so that the sender sees it first: a new field, a new example, and another value of one, but
 * its description.
 */
const SHOWN = /^add \S+ to (?!set )|^change example \S+ \d+ (?!\[\[\["description"\],)|^example /;
/**
 * Changes that messages speak of so rarely that most of those that seem to mean something else: the end of an experiment, and promises that
 * are words of everyday speech. Sayings that name them plainly.
 */
const UNUSUAL = /^remove experiment [^/ ]+$|#(?:record|sideEffect|tenantScoped|interactive)=/;
const PLAINLY =
  /\b(?:record|sideEffect|tenantScoped|interactive)\b\W{0,2}(?:\s?[:=]|\s(?:to|as|on|off|in|for|should))|^[^,.;:]*\bexperiment\W*$/iu;
/** Changes of which messages speak in words that a second look outweighs doubts for; whom and what else a message may mean is told apart by names. */
const SETTLED =
  /^(?:\S+#(?!egress)\S+(?:=| add | remove | [^ ]+ > )|(?:require|relax|deprecate|promote|defaults) |remove \S*\/(?:input|output)\/)/s;

/** A message as it was read. */
export interface Read {
  readonly text: string;
  readonly heard: readonly Heard[];
  /** All that the sender says in words of its own. */
  readonly clause: Clause;
  readonly places: Places;
}

/** A message whose likeliest reading may be carried out, with how sure a second look is of each of its readings. */
interface Likeliest extends Read {
  readonly mayBeTakenBack: boolean;
  readonly sureness: (choice: Choice) => number | undefined;
}

/** The plan of the likeliest choice, where it is sure enough to be carried out unasked. */
export function findSure(
  [first]: readonly Tried[],
  { text, heard, clause, places, mayBeTakenBack, sureness }: Likeliest,
): ChangePlan | TunePlan | undefined {
  const { signs, names = [], words = [] } = first?.choice ?? {};
  const [name = ""] = names;
  if (first === undefined || signs === undefined || first.isSecond) return undefined;
  // "The label should be called ..." takes none away.
  if (signs.noVerb === 1 && (signs.leftUnknown ?? 0) > 0 && name.startsWith("label - ")) return undefined;
  const isMused = heard.some(muses) && !heard.some((one) => stanceOf(one) === "asks");
  const isWritten = text.includes("{") && names.every((one) => one.startsWith("example "));
  if ((!isWritten && names.some((one) => SHOWN.test(one))) || isUnusual(names, text)) return undefined;
  if (isMused || pointsAtNothing(clause) || leavesWish(heard, names) || announcesMore(text, names)) return undefined;
  if (leavesSentence(heard, { clause, names, words }, places)) return undefined;
  if ((sureness(first.choice) ?? 0) < DOUBTED) return undefined;
  const isSettled = signs.asks === 1 && names.every((one) => SETTLED.test(one));
  if (!isSure(clause, { signs, share: first.share, mayBeTakenBack, isSettled })) return undefined;
  const thing = thingOf(name, places);
  if (names.some((one) => isKeyByName(clause, one, places))) return undefined;
  const isAnother =
    thing !== undefined && (hasNamesake(clause, thing, places, isOfTools(name)) || isLimited(clause, thing, places));
  return isAnother ? undefined : first.plan;
}

/** Tells whether changes of these names are such as nearly nobody asks for in words: other words of the message may be meant. */
export function isUnusual(names: readonly string[], text: string): boolean {
  return names.some((one) => UNUSUAL.test(one)) && !PLAINLY.test(text);
}

/** Tells whether the likeliest choice is nearly certain to be what a message wants. */
function isLikeliest([first]: readonly Tried[]): boolean {
  return (first?.share ?? 0) > LIKELIEST;
}

/**
 * Tells whether a message is nearly certain to want nothing, by its words, and no choice is nearly certain to be what it wants. One that is
 * vague wants something.
 */
export function isIdle(tried: readonly Tried[], { text }: Clause): boolean {
  const likelihoods = readIntent(text);
  return !isLikeliest(tried) && idleness(likelihoods) - likelihoodOf(likelihoods, "vague") >= IDLE;
}

/** Tells whether a message wants a tool to do something else, and no manifest nearly certainly says so. What a tool is to give is no input of it. */
export function isForCode(tried: readonly Tried[], { heard, clause, places }: Read): boolean {
  const isOfManifests = isLikeliest(tried) && tried[0]?.choice.signs?.addField === undefined;
  return heard.length === 1 && !isOfManifests && asksOfCode(clause, places);
}

/** Tells whether what is clear was refused because it is so already, and nothing else is likelier. */
export function isSoAlready([first]: readonly Tried[], refused: RejectPlan | undefined): boolean {
  return refused?.reason.startsWith(ALREADY) === true && first?.plan === undefined && (first?.share ?? 0) >= SO;
}

/** Tells whether the likeliest choice is what was refused as clear, and can be done with what goes along: values that code does not know yet. */
export function isRefused([first]: readonly Tried[], drafts: readonly Ranked[]): boolean {
  const [only, ...others] = drafts;
  return others.length === 0 && only !== undefined && first?.choice.names.join(" ") === only.name;
}
