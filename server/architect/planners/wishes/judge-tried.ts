import type { ChangePlan, RejectPlan, TunePlan } from "../plan.ts";
import { asksOfCode } from "./asks-of-code.ts";
import type { Clause } from "./clause.ts";
import { isSure } from "./guess/is-sure.ts";
import { idleness, likelihoodOf, readIntent } from "./intent/read-intent.ts";
import { partsOf } from "./leaves-wish.ts";
import { findObjections, type Read } from "./objections.ts";
import type { Ranked } from "./rank.ts";
import { DOUBTED, DOUBTED_RIGHT, type Sureness } from "./sureness/sureness.ts";
import { ALREADY, type Tried } from "./try-choices.ts";

/** How likely a message wants no change from which on nothing is offered, unless a choice is likelier than `LIKELIEST`. */
const IDLE = 0.95;
const LIKELIEST = 0.9;
/** How likely what is so already is meant from which on nothing else is offered. */
const SO = 0.4;

/** Changes of which messages speak in words that a second look outweighs doubts for; whom and what else a message may mean is told apart by names. */
const SETTLED =
  /^(?:\S+#(?!egress)\S+(?:=| add | remove | [^ ]+ > )|(?:require|relax|deprecate|promote|defaults) |remove \S*\/(?:input|output)\/)/s;

/**
 * Probability of a second look from which on it is certain, from which on it is of one change that takes nothing away, and from which on that
 * change is done whatever conditions or questions its message seems to have.
 */
const CERTAIN = 0.975;
const CERTAIN_OF_ONE = 0.95;
const CERTAIN_OF_ALL = 0.97;
/** Changes that take something away, now or later. */
const GONE = /^(?:remove|revoke|deprecate|retire) | (?:remove|>) /;

/** Changes of what roles may do. */
const RIGHTS = /^(?:exchange|grant|revoke) /;

/** A message whose likeliest reading may be carried out, with how sure a second look is of a reading. */
interface Likeliest extends Read {
  readonly mayBeTakenBack: boolean;
  readonly sureness: Sureness;
}

/** The plan of the likeliest choice, where it is sure enough to be carried out unasked. */
export function findSure(
  [first]: readonly Tried[],
  { mayBeTakenBack, sureness, ...read }: Likeliest,
): ChangePlan | TunePlan | undefined {
  if (first === undefined || first.isSecond) return undefined;
  const { choice, share, plan } = first;
  const objections = findObjections({ choice, share, mayBeTakenBack }, read);
  if (objections === undefined || choice.signs === undefined) return undefined;
  const sure = sureness(choice, objections);
  const least = choice.names.every((one) => RIGHTS.test(one)) ? DOUBTED_RIGHT : DOUBTED;
  if (sure < least || objections.rules.length > 0) return undefined;
  const isSettled = choice.names.every((one) => SETTLED.test(one));
  const [name = "", ...others] = partsOf(choice.names);
  const isAlone = others.length === 0 && !GONE.test(name) && sure >= CERTAIN_OF_ONE;
  const isAlways = isAlone && sure >= CERTAIN_OF_ALL;
  const judged = { share, isSettled, isCertain: sure >= CERTAIN, isAlone, isAlways, doubts: objections };
  return isSure(read.clause, choice.signs, judged) ? plan : undefined;
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
