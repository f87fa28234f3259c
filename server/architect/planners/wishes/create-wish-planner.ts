import { judgeRights } from "./contrary/against-rights.ts";
import { createManifestCheck } from "../directives/check-manifests.ts";
import { messageReadsLikeInstructions } from "../../../text/instructions.ts";
import { toRejection } from "../../guard/refuse.ts";
import type { Feedback, Plan, RejectPlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import { type Clause, readClause } from "./clause.ts";
import { type Choice, listChoices, ownText, toDeeds, toShares, TRIED, wishes, mayWish } from "./choices.ts";
import { findSure, isForCode, isIdle, isRefused, isSoAlready } from "./judge-tried.ts";
import { findObjections, isUnusual, type Read } from "./objections.ts";
import { isWithheld } from "./speaks-of-wish.ts";
import { isUnwanted } from "./stance.ts";
import { isHeadedOtherwise } from "./unmeant.ts";
import { readPlain } from "./plain/read-plain.ts";
import { isAgreed, isExplained } from "./is-agreed.ts";
import { toLeavesNamed } from "./contrary/leaves-named.ts";
import { toMisread } from "./contrary/misreads.ts";
import { pointsAtNothing } from "./contrary/points-at-nothing.ts";
import { leavesOpenSentence, leavesSentence, type Made } from "./leaves-sentence.ts";
import { announcesMore, isOneOfSeveral } from "./leaves-wish.ts";
import { namesMore } from "./names-more.ts";
import { isLimited } from "./namesakes.ts";
import { guessSamples } from "./documents/guess-samples.ts";
import { guessDocuments } from "./documents/guess-document.ts";
import { askForValue, explainCode, explainWish } from "./explain-wish.ts";
import { leavesOpen } from "./leaves-open.ts";
import { listPlaces } from "./places/list-places.ts";
import type { Places } from "./places/places.ts";
import type { Ranked } from "./rank.ts";
import { DOUBTED, toSureness, UNLIKELY } from "./sureness/sureness.ts";
import { choose, MOST_READINGS, toAnswer, toReadings } from "./readings.ts";
import { type Outcome, planList } from "./lists/plan-list.ts";
import { readDirective } from "./lists/read-directive.ts";
import { planParts } from "./parts/plan-parts.ts";
import { leavesPart } from "./parts/leaves-part.ts";
import { planReasoned } from "./parts/plan-reasoned.ts";
import { leavesReason } from "./retirement/read-retirement.ts";
import { type Heard, hear, hearAll, isAllClear, isTakenBack, mayAsk, tellsOfMore, toldText } from "./heard.ts";
import { withoutCourtesy } from "./plain/without-courtesy.ts";
import { type Reader, tryAll, work } from "./try-choices.ts";

/** Characters of a message that wishes are looked for in. */
const MESSAGE = 4_000;
const INSTRUCTING = {
  reason: "The message has text that reads like instructions to a model, so nothing of it is done.",
  accepted: "Say in a sentence of your own what should change.",
};

/**
 * Makes plans of wishes in people's own words, by what this version has that may be meant. Does what is clear; offers
 * what is likely where several things may be meant or words are left over; says why nothing is done otherwise. Nothing is done by halves.
 */
export function createWishPlanner(read = createWishReader()): Planner {
  return Object.freeze<Planner>({ name: "wishes", plan: (feedback, ground) => read(feedback, ground) });
}

export type ReadWish = (feedback: Feedback, ground: Ground) => Promise<Plan | undefined>;

/**
 * Creates the reader of wishes that `createWishPlanner` describes. It keeps the plan of what it has read last on a ground: planners that
 * share a reader plan a message once.
 */
export function createWishReader(): ReadWish {
  const check = createManifestCheck();
  const last = new WeakMap<
    Ground,
    { readonly message: string; readonly most: number; readonly plan: Promise<Plan | undefined> }
  >();
  return async ({ message, choice }, ground) => {
    if (message.length > MESSAGE) return undefined;
    // A choice may be of all that may have been offered.
    const most = choice === undefined ? MOST_READINGS : 2 * TRIED;
    const known = last.get(ground);
    const plan =
      known?.message === message && known.most === most ? known.plan : planWish(message, { ground, check, most });
    last.set(ground, { message, most, plan });
    return choice === undefined ? plan : choose(await plan, choice);
  };
}

/** A plan that is done at once only where no part of its message surely asks for something else; it is offered otherwise. */
async function vet(plan: Plan | undefined, text: string, reader: Reader): Promise<Plan | undefined> {
  if (plan === undefined || plan.kind === "reject") return plan;
  const places = listPlaces(reader.ground.version);
  const isHeld =
    isWithheld(text, places) ||
    (await leavesPart(text, plan, reader.ground, (part) => readSentences(toRead(part, places), reader)));
  return isHeld ? toAnswer(toReadings([{ plan, share: 1 }], reader.most), undefined) : plan;
}

/** Plans what a message asks for. */
async function planWish(text: string, reader: Reader): Promise<Plan | undefined> {
  if (messageReadsLikeInstructions(text)) return { kind: "reject", ...INSTRUCTING };
  const places = listPlaces(reader.ground.version);
  const message = readPlain(text, places);
  const heard = hear(message, places);
  const isApplied = message.segments.some((segment) => segment.kind === "data" && segment.isApplied);
  const clause = readClause(ownText(heard), places);
  const samples = guessSamples(message, clause, places);
  const documents = samples.choices.length > 0 ? samples : await guessDocuments(message, clause, places, reader.ground);
  const documented = await tryAll(reader, documents.choices);
  const whole = { text, heard, clause, places };
  const [first] = documented;
  if (documents.isSure && first?.plan !== undefined && !isOpen(whole) && !heard.some(isUnwanted))
    return vet(first.plan, text, reader);
  const shown = toReadings(documented, reader.most);
  const refused = shown.length === 0 ? await documents.refused?.() : undefined;
  if (refused !== undefined) return refused;
  if (isApplied || documented.length > 0) return toAnswer(shown, explainWish(heard, places));
  const around = {
    places,
    reader,
    read: async (item: string) => (await readDirective(item, reader)) ?? readSentences(toRead(item, places), reader),
  };
  const listed = await planList(withoutCourtesy(text), around);
  if (listed.plan !== undefined && !isHeadedOtherwise(text)) return vet(listed.plan, text, reader);
  const { plan: read, deeds } = await readSentences(whole, reader);
  const plan = await vet(read, text, reader);
  const parted = plan === undefined || plan.kind === "reject" ? await planParts(heard, plan, around) : undefined;
  const reasoned = await planReasoned(message, parted ?? plan, around);
  if (reasoned !== undefined || parted !== undefined) return vet(reasoned ?? parted, text, reader);
  const isPart = listed.isList && deeds !== undefined && plan !== undefined && plan.kind !== "reject";
  return isPart ? toAnswer(toReadings([{ plan, share: 1 }], reader.most), undefined) : plan;
}

/** Reads what the sentences of a message ask for; what it carries besides is read by others. */
async function readSentences(read: Read, reader: Reader): Promise<Outcome> {
  const { text, heard, clause, places } = read;
  const isAsked = mayAsk(heard) || heard.some(wishes);
  if (!isAsked && !mayWish(heard)) return { plan: explainWish(heard, places) };
  const sentences = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const joined = isAllClear(heard) ? undefined : hearAll(heard, places);
  const drafts = joined === undefined ? sentences : joined.kind === "clear" ? joined.drafts : [];
  const names = drafts.map(({ name }) => name);
  const choices = listChoices({ heard, clause, places });
  const mayBeTakenBack = isTakenBack(heard);
  const isOpenEnded = isOpen(read);
  let refused: RejectPlan | undefined;
  try {
    if (
      isAsked &&
      drafts.length > 0 &&
      !mayBeTakenBack &&
      !isOpenEnded &&
      !pointsAtNothing(clause) &&
      !heard.some(isUnwanted) &&
      !tellsOfMore(heard, places) &&
      !namesMore(heard, places) &&
      !toLeavesNamed(clause, places)(names) &&
      !announcesMore(text, names) &&
      !isUnusual(names, text) &&
      !drafts.some((draft) => isOneOfSeveral(draft, heard, clause, places)) &&
      !drafts.some(({ thing }) => thing !== undefined && isLimited(clause, thing, places)) &&
      !drafts.some((draft) => leavesReason(draft, clause, places)) &&
      !(joined === undefined
        ? leavesOpenSentence(heard, clause, places)
        : leavesSentence(heard, toMade(drafts, heard, places), places)) &&
      !isAgainst(drafts, clause, places) &&
      (joined === undefined ? areAgreed(heard, choices, read) : isAgreedBy(drafts, choices, read))
    )
      return { plan: await work(reader, toDeeds(drafts)), deeds: toDeeds(drafts) };
  } catch (error) {
    refused = toRejection(error);
  }
  const tried = await tryAll(reader, choices);
  const likeliest = { ...read, mayBeTakenBack, sureness: toSureness(text, choices, places) };
  const mayBeDone = refused === undefined ? !isOpenEnded : isRefused(tried, drafts);
  const sure = mayBeDone ? findSure(tried, likeliest) : undefined;
  if (sure !== undefined) return { plan: sure, deeds: tried[0]?.choice.deeds };
  if (isIdle(tried, clause)) return { plan: refused };
  if (isForCode(tried, read)) return { plan: refused ?? explainCode(places) };
  const offered = isSoAlready(tried, refused) ? [] : toReadings(tried, reader.most);
  const asked = refused === undefined && offered.length === 0 ? askForValue(heard) : undefined;
  const plan = asked ?? toAnswer(offered, refused ?? explainWish(heard, places), refused?.reason);
  return { plan, likely: tried.find((one) => one.plan !== undefined) };
}

/** Tells whether a message as a whole speaks against drafts of its sentences: it says more of rights, or something else of what they change. */
function isAgainst(drafts: readonly Ranked[], clause: Clause, places: Places): boolean {
  const { mistakes, halves } = judgeRights(clause, places);
  const names = drafts.map(({ name }) => name);
  return names.some(mistakes) || halves(names) || toMisread(clause, places)(names);
}

/** Tells whether a message leaves open when or for whom its wishes are meant, or whether they are. */
function isOpen({ text, heard, places }: Read): boolean {
  return isHeadedOtherwise(text) || leavesOpen(heard, places);
}

function toRead(text: string, places: Places): Read {
  const heard = hear(readPlain(text, places), places);
  return { text, heard, clause: readClause(ownText(heard), places), places };
}

/** Drafts of all that a message tells, in terms of it. */
function toMade(drafts: readonly Ranked[], heard: readonly Heard[], places: Places): Made {
  const clause = readClause(toldText(heard), places);
  const words = drafts.flatMap(({ explained, soft }) => [...explained, ...soft]);
  return { clause, names: drafts.map(({ name }) => name), words };
}

/** Tells whether what each of the clear sentences asks for is not much less likely than another reading of it. */
function areAgreed(heard: readonly Heard[], choices: readonly Choice[], read: Read): boolean {
  const clear = heard.filter(({ resolved }) => resolved?.kind === "clear");
  const [only, ...others] = clear;
  if (others.length === 0)
    return isAgreedBy(only?.resolved?.drafts ?? [], choices, { ...read, text: read.clause.text });
  return clear.every((one) => {
    const { text } = one.sentence;
    const own = { text, heard: [one], clause: readClause(text, read.places), places: read.places };
    return isAgreedBy(one.resolved?.drafts ?? [], listChoices(own), own);
  });
}

/** Tells whether neither the other readings of a text nor a second look speak against what is clear of it. */
function isAgreedBy(drafts: readonly Ranked[], choices: readonly Choice[], read: Read): boolean {
  if (!isAgreed(drafts, choices, read.text)) return false;
  const [only, ...others] = drafts;
  if (only === undefined || others.length > 0) return true;
  const at = choices.findIndex(({ names }) => names.length === 1 && names[0] === only.name);
  const choice = choices[at];
  if (choice === undefined) return true;
  const share = toShares(choices.map(({ score }) => score))[at] ?? 0;
  const objections = findObjections({ choice, share, mayBeTakenBack: false }, read);
  const least = isExplained(only) ? UNLIKELY : DOUBTED;
  return objections === undefined || toSureness(read.text, choices, read.places)(choice, objections) >= least;
}
