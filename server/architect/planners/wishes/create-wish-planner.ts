import { CairnError } from "../../../errors.ts";
import { createBench } from "../directives/bench.ts";
import { createManifestCheck } from "../directives/check-manifests.ts";
import { messageReadsLikeInstructions } from "../../../text/instructions.ts";
import { toRejection } from "../../guard/refuse.ts";
import type { ChangePlan, Feedback, Plan, RejectPlan, TunePlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import type { Deed } from "../directives/phrase.ts";
import { type Clause, readClause } from "./clause.ts";
import { type Choice, listChoices, ownText, toDeeds, toShares, TRIED, wishes, mayWish } from "./choices.ts";
import { isUnwanted } from "./stance.ts";
import { readPlain } from "./read-plain.ts";
import { isAgreed } from "./is-agreed.ts";
import { isSure } from "./guess/is-sure.ts";
import { announcesMore, isOneOfSeveral, leavesWish } from "./leaves-wish.ts";
import { namesMore } from "./names-more.ts";
import { hasNamesake, isLimited, isOfTools, thingOf } from "./namesakes.ts";
import { guessSamples } from "./documents/guess-samples.ts";
import { guessDocuments } from "./documents/guess-document.ts";
import { askForValue, explainWish } from "./explain-wish.ts";
import { leavesOpen } from "./leaves-open.ts";
import { listPlaces } from "./places/list-places.ts";
import type { Places } from "./places/places.ts";
import type { Ranked } from "./rank.ts";
import { choose, MOST_READINGS, toAnswer, toReadings } from "./readings.ts";
import { leavesReason } from "./retirement/read-retirement.ts";
import { type Heard, hear, hearAll, isAllClear, isTakenBack, mayAsk, tellsOfMore } from "./heard.ts";

/** Characters of a message that wishes are looked for in. */
const MESSAGE = 4_000;
const INSTRUCTING = {
  reason: "The message has text that reads like instructions to a model, so nothing of it is done.",
  accepted: "Say in a sentence of your own what should change.",
};
/** Probability of what cannot be carried out from which on nothing else is done unasked. */
const LOST = 0.3;
const ALREADY = "This version is like that already";

/**
 * Makes plans of wishes in people's own words, by what this version has that may be meant. Does what is clear; offers
 * what is likely where several things may be meant or words are left over; says why nothing is done otherwise. Nothing is done by halves.
 */
export function createWishPlanner(): Planner {
  const read = createWishReader();
  return Object.freeze<Planner>({ name: "wishes", plan: (feedback, ground) => read(feedback, ground) });
}

export type ReadWish = (feedback: Feedback, ground: Ground) => Promise<Plan | undefined>;

/** Creates the reader of wishes that `createWishPlanner` describes. */
export function createWishReader(): ReadWish {
  const check = createManifestCheck();
  return async ({ message, choice }, ground) => {
    if (message.length > MESSAGE) return undefined;
    if (choice === undefined) return planWish(message, { ground, check, most: MOST_READINGS });
    // All that may have been offered.
    return choose(await planWish(message, { ground, check, most: 2 * TRIED }), choice);
  };
}

/** The commit that a wish is about, and how far it is read. */
interface Reader {
  readonly ground: Ground;
  readonly check: CheckManifests;
  /** Readings to offer at most. */
  readonly most: number;
}

async function planWish(text: string, reader: Reader): Promise<Plan | undefined> {
  const { ground, check } = reader;
  if (messageReadsLikeInstructions(text)) return { kind: "reject", ...INSTRUCTING };
  const places = listPlaces(ground.version);
  const message = readPlain(text);
  const heard = hear(message, places);
  const isApplied = message.segments.some((segment) => segment.kind === "data" && segment.isApplied);
  const clause = readClause(ownText(heard), places);
  const samples = guessSamples(message, clause, places);
  const documents = samples.choices.length > 0 ? samples : await guessDocuments(message, clause, places, ground);
  const documented = await tryAll(reader, documents.choices);
  if (documents.isSure && documented[0]?.plan !== undefined) return documented[0].plan;
  if (isApplied || documented.length > 0)
    return toAnswer(toReadings(documented, reader.most), explainWish(heard, places));
  const isAsked = mayAsk(heard) || heard.some(wishes);
  if (!isAsked && !mayWish(heard)) return explainWish(heard, places);
  const sentences = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const joined = isAllClear(heard) ? undefined : hearAll(heard, places);
  const drafts = joined === undefined ? sentences : joined.kind === "clear" ? joined.drafts : [];
  const choices = listChoices({ heard, clause, places });
  const mayBeTakenBack = isTakenBack(heard);
  const isOpenEnded = leavesOpen(heard);
  let refused: RejectPlan | undefined;
  try {
    if (
      isAsked &&
      drafts.length > 0 &&
      !mayBeTakenBack &&
      !isOpenEnded &&
      !heard.some(isUnwanted) &&
      !tellsOfMore(heard, places) &&
      !namesMore(heard, places) &&
      !announcesMore(
        text,
        drafts.map(({ name }) => name),
      ) &&
      !drafts.some((draft) => isOneOfSeveral(draft, heard, clause, places)) &&
      !drafts.some(({ thing }) => thing !== undefined && isLimited(clause, thing, places)) &&
      !drafts.some((draft) => leavesReason(draft, clause, places)) &&
      isAgreed(drafts, choices, clause.text)
    )
      return await work(ground, toDeeds(drafts), check);
  } catch (error) {
    refused = toRejection(error);
  }
  const tried = await tryAll(reader, choices);
  const read: Read = { text, heard, clause, places, mayBeTakenBack };
  const sure = refused !== undefined ? findRefused(tried, drafts) : isOpenEnded ? undefined : findSure(tried, read);
  if (sure !== undefined) return sure;
  const offered = toReadings(tried, reader.most);
  const asked = refused === undefined && offered.length === 0 ? askForValue(heard) : undefined;
  return asked ?? toAnswer(offered, refused ?? explainWish(heard, places), refused?.reason);
}

/** A message as it was read. */
interface Read {
  readonly text: string;
  readonly heard: readonly Heard[];
  readonly clause: Clause;
  readonly places: Places;
  readonly mayBeTakenBack: boolean;
}

/** The plan of the likeliest choice, where it is sure enough to be carried out unasked. */
function findSure(
  [first]: readonly Tried[],
  { text, heard, clause, places, mayBeTakenBack }: Read,
): ChangePlan | TunePlan | undefined {
  const { signs, names = [] } = first?.choice ?? {};
  const [name = ""] = names;
  if (first === undefined || signs === undefined || first.isSecond) return undefined;
  if (leavesWish(heard, names) || announcesMore(text, names)) return undefined;
  if (!isSure(clause, { signs, share: first.share, mayBeTakenBack })) return undefined;
  const thing = thingOf(name, places);
  const isAnother =
    thing !== undefined && (hasNamesake(clause, thing, places, isOfTools(name)) || isLimited(clause, thing, places));
  return isAnother ? undefined : first.plan;
}

/** The likeliest choice where it is what was refused as clear, and can be done with what goes along: values that code does not know yet. */
function findRefused([first]: readonly Tried[], drafts: readonly Ranked[]): ChangePlan | TunePlan | undefined {
  const [only, ...others] = drafts;
  return others.length === 0 && only !== undefined && first?.choice.names.join(" ") === only.name
    ? first.plan
    : undefined;
}

/** A choice that was worked out; `plan` is absent where it is so already. */
interface Tried {
  readonly choice: Choice;
  readonly plan: ChangePlan | TunePlan | undefined;
  /** How likely it is what is meant, from 0 to 1. */
  readonly share: number;
  /** True where what is likelier by all signs cannot be carried out: that may be meant all the same. */
  readonly isSecond: boolean;
}

/** Works out the likeliest of some choices; those that cannot be carried out count no more. */
async function tryAll({ ground, check, most }: Reader, choices: readonly Choice[]): Promise<readonly Tried[]> {
  const kept: Omit<Tried, "share">[] = [];
  const before = toShares(choices.map(({ score }) => score));
  let lost = 0;
  let at = 0;
  for (; at < choices.length && kept.length < Math.max(TRIED, most); at += 1) {
    const choice = choices[at];
    if (choice === undefined) break;
    const outcome = await tryOne(choice, ground, check);
    if (outcome === undefined) lost += before[at] ?? 0;
    else kept.push({ choice, plan: outcome.plan, isSecond: lost > LOST });
  }
  const shares = toShares([...kept.map(({ choice }) => choice), ...choices.slice(at)].map(({ score }) => score));
  return kept.map((one, place) => ({ ...one, share: shares[place] ?? 0 }));
}

/** Works out a choice; undefined where it cannot be carried out. */
async function tryOne(
  { deeds }: Choice,
  ground: Ground,
  check: CheckManifests,
): Promise<Pick<Tried, "plan"> | undefined> {
  try {
    return { plan: await work(ground, deeds, check) };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return error.message.startsWith(ALREADY) ? { plan: undefined } : undefined;
  }
}

type CheckManifests = ReturnType<typeof createManifestCheck>;

async function work(ground: Ground, deeds: readonly Deed[], check: CheckManifests): Promise<ChangePlan | TunePlan> {
  const bench = createBench(ground);
  for (const deed of deeds) await deed(bench);
  const plan = bench.toPlan();
  if (plan.kind === "change") await check(plan.files, ground);
  return plan;
}
