import type { Tool } from "../../../versions/version.ts";
import type { Choice } from "./choices.ts";
import type { Clause } from "./clause.ts";
import { isNameOf } from "./drafts/draft.ts";
import { pointsAtNothing } from "./contrary/points-at-nothing.ts";
import { type Doubts, findDoubts } from "./guess/is-sure.ts";
import type { Heard } from "./heard.ts";
import { leavesSentence } from "./leaves-sentence.ts";
import { announcesMore, leavesWish } from "./leaves-wish.ts";
import { hasNamesake, isKeyByName, isLimited, isOfTools, thingOf } from "./namesakes.ts";
import type { Places } from "./places/places.ts";
import { muses, stanceOf } from "./stance.ts";

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

/** A message as it was read. */
export interface Read {
  readonly text: string;
  readonly heard: readonly Heard[];
  /** All that the sender says in words of its own. */
  readonly clause: Clause;
  readonly places: Places;
}

/** A reading that may be carried out unasked. */
export interface Candidate {
  readonly choice: Choice;
  /** Its probability among all readings of its message, from 0 to 1. */
  readonly share: number;
  /** True where a sentence of the message is one of those that could take a wish back. */
  readonly mayBeTakenBack: boolean;
}

/** What speaks against carrying a reading out unasked. */
export interface Objections extends Doubts {
  /** Names of rules that a change of this kind, or a message of this kind, breaks. */
  readonly rules: readonly string[];
}

/** Finds what speaks against carrying a reading out unasked, by name; undefined of one that is made of several sentences. */
export function findObjections(candidate: Candidate, read: Read): Objections | undefined {
  const { signs } = candidate.choice;
  if (signs === undefined) return undefined;
  const { share, mayBeTakenBack } = candidate;
  return { ...findDoubts(read.clause, { signs, share, mayBeTakenBack }), rules: findBroken(candidate.choice, read) };
}

function findBroken({ names, words = [], signs = {} }: Choice, read: Read): readonly string[] {
  const { text, heard, clause, places } = read;
  const [name = ""] = names;
  const thing = thingOf(name, places);
  const isWritten = text.includes("{") && names.every((one) => one.startsWith("example "));
  const broken = {
    // "The label should be called ..." takes none away.
    goneLabel: signs.noVerb === 1 && (signs.leftUnknown ?? 0) > 0 && name.startsWith("label - "),
    // "The accountant role should go, along with its architect:chat" is about the role.
    goneRole: name.startsWith("revoke role ") && ROLE_GOES.test(text),
    shown: !isWritten && names.some((one) => SHOWN.test(one)),
    unusual: isUnusual(names, text),
    mused: heard.some(muses) && !heard.some((one) => stanceOf(one) === "asks"),
    nothing: pointsAtNothing(clause),
    leavesWish: leavesWish(heard, names),
    announcesMore: announcesMore(text, names),
    leavesSentence: leavesSentence(heard, { clause, names, words }, places),
    doesMore: thing?.tool !== undefined && name.startsWith("require ") && doesMore(clause, thing.tool),
    leavesRight: names.some((one) => one.startsWith("role ")) && leavesItem(clause, words),
    key: names.some((one) => isKeyByName(clause, one, places)),
    namesake: thing !== undefined && hasNamesake(clause, thing, places, isOfTools(name)),
    limited: thing !== undefined && isLimited(clause, thing, places),
  };
  return Object.entries(broken).flatMap(([rule, is]) => (is ? [rule] : []));
}

const ROLE_GOES =
  /\brole\b[^.,;]{0,20}\b(?:should|must|can|may|has to|needs to|is to) (?:go|leave|disappear|be (?:removed|deleted|dropped))\b/iu;
/** What a tool has to do with its input, but to get it: "plan_tour has to put the stops in order". */
const DUTY =
  /^(?:has to|must|should|needs to|ought to|shall) (?:always |also )?(?!(?:have|get|be|require|insist|demand|ask|receive|take|name|contain|include|come|say|state|need|know|see|find|carry|specify|refuse|reject|fail)\b)\p{L}/u;

/** Tells whether a clause says that a tool, as its subject, has to do something with what it gets. */
function doesMore({ tokens }: Clause, tool: Tool): boolean {
  return tokens.some(
    ({ lower }, at) =>
      isNameOf(tool, lower) &&
      DUTY.test(
        tokens
          .slice(at + 1, at + 6)
          .map((token) => token.lower)
          .join(" "),
      ),
  );
}

/** Words that lead to what a new role may do, and those between its rights. */
const RIGHTS = /^(?:may|can|with|only|use|grants?)$/;
const JOINING = /^(?:and|or|[,;&])$/;

/** Tells whether one of the rights that a clause lists for a role is made of none of some words: "may read artifacts and run_events". */
function leavesItem({ tokens, weights }: Clause, words: readonly number[]): boolean {
  const start = tokens.findIndex(({ lower }) => RIGHTS.test(lower));
  const items: number[][] = [[]];
  for (const [at, { lower }] of tokens.entries())
    if (JOINING.test(lower)) items.push([]);
    else if (at > start && (weights[at] ?? 0) > 0 && !RIGHTS.test(lower)) items.at(-1)?.push(at);
  return start >= 0 && items.some((item) => item.length > 0 && !item.some((at) => words.includes(at)));
}

/** Tells whether changes of these names are such as nearly nobody asks for in words: other words of the message may be meant. */
export function isUnusual(names: readonly string[], text: string): boolean {
  return names.some((one) => UNUSUAL.test(one)) && !PLAINLY.test(text);
}
