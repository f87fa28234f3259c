import { CairnError } from "../../../errors.ts";
import { readMessage } from "../../message/read-message.ts";
import { createBench } from "../directives/bench.ts";
import { createManifestCheck } from "../directives/check-manifests.ts";
import { messageReadsLikeInstructions } from "../../../text/instructions.ts";
import { toRejection } from "../../guard/refuse.ts";
import type { ChangePlan, Feedback, Plan, Reading, RejectPlan, TunePlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import type { Deed } from "../directives/phrase.ts";
import { type Clause, readClause } from "./clause.ts";
import { type Choice, listChoices, ownText, toDeeds, toShares, TRIED, wishes, mayWish } from "./choices.ts";
import { stanceOf } from "./stance.ts";
import { quoteGiven } from "./quote-given.ts";
import { withoutCounts } from "./without-counts.ts";
import { isAgreed } from "./is-agreed.ts";
import { isSure } from "./guess/is-sure.ts";
import { namesMore } from "./names-more.ts";
import { hasNamesake, thingOf } from "./namesakes.ts";
import { guessDocuments } from "./documents/guess-document.ts";
import { askForValue, explainWish } from "./explain-wish.ts";
import { listPlaces } from "./places/list-places.ts";
import type { Places } from "./places/places.ts";
import { leavesReason } from "./retirement/read-retirement.ts";
import { type Heard, hear, hearAll, isAllClear, isTakenBack, mayAsk, tellsOfMore } from "./heard.ts";

/** Characters of a message that wishes are looked for in. */
const MESSAGE = 4_000;
const TITLE = 100;
const INSTRUCTING = {
  reason: "The message has text that reads like instructions to a model, so nothing of it is done.",
  accepted: "Say in a sentence of your own what should change.",
};
const LETTERS = ["a", "b", "c"] as const;
const ALREADY = "This version is like that already";
/** Least probability of a reading that is offered. */
const OFFERED = 0.04;

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
    if (choice === undefined) return planWish(message, { ground, check, most: LETTERS.length });
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
  const message = readMessage(withoutCounts(quoteGiven(text.toWellFormed())));
  const heard = hear(message, places);
  const isApplied = message.segments.some((segment) => segment.kind === "data" && segment.isApplied);
  const clause = readClause(ownText(heard), places);
  const documents = await guessDocuments(message, clause, places, ground);
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
  let refused: RejectPlan | undefined;
  try {
    if (
      isAsked &&
      drafts.length > 0 &&
      !mayBeTakenBack &&
      !heard.some(isUnwanted) &&
      !tellsOfMore(heard, places) &&
      !namesMore(heard, places) &&
      !drafts.some(({ thing }) => thing !== undefined && hasNamesake(clause, thing, places)) &&
      !drafts.some((draft) => leavesReason(draft, clause, places)) &&
      isAgreed(drafts, choices)
    )
      return await work(ground, toDeeds(drafts), check);
  } catch (error) {
    refused = toRejection(error);
  }
  const tried = await tryAll(reader, choices);
  const sure = refused === undefined ? findSure(tried, { clause, places, mayBeTakenBack }) : undefined;
  if (sure !== undefined) return sure;
  const offered = toReadings(tried, reader.most);
  const asked = refused === undefined && offered.length === 0 ? askForValue(heard) : undefined;
  return asked ?? toAnswer(offered, refused ?? explainWish(heard, places), refused?.reason);
}

/** Tells whether a sentence keeps its message from being carried out unasked: it wants something not to be done, or not yet. */
function isUnwanted(one: Heard): boolean {
  return ["forbids", "depends"].includes(stanceOf(one));
}

/** The plan of the likeliest choice, where it is sure enough to be carried out unasked. */
function findSure(
  [first]: readonly Tried[],
  {
    clause,
    places,
    mayBeTakenBack,
  }: { readonly clause: Clause; readonly places: Places; readonly mayBeTakenBack: boolean },
): ChangePlan | TunePlan | undefined {
  const { signs, names: [name = ""] = [] } = first?.choice ?? {};
  if (first === undefined || signs === undefined) return undefined;
  if (!isSure(clause, { signs, share: first.share, mayBeTakenBack })) return undefined;
  const thing = thingOf(name, places);
  return thing !== undefined && hasNamesake(clause, thing, places) ? undefined : first.plan;
}

/** A choice that was worked out; `plan` is absent where it is so already. */
interface Tried {
  readonly choice: Choice;
  readonly plan: ChangePlan | TunePlan | undefined;
  /** How likely it is what is meant, from 0 to 1. */
  readonly share: number;
}

/** Works out the likeliest of some choices; those that cannot be carried out count no more. */
async function tryAll({ ground, check, most }: Reader, choices: readonly Choice[]): Promise<readonly Tried[]> {
  const kept: { choice: Choice; plan: Tried["plan"] }[] = [];
  const rest = choices.slice();
  while (rest.length > 0 && kept.length < Math.max(TRIED, most)) {
    const choice = rest.shift();
    if (choice === undefined) break;
    try {
      kept.push({ choice, plan: await work(ground, choice.deeds, check) });
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      if (error.message.startsWith(ALREADY)) kept.push({ choice, plan: undefined });
    }
  }
  const shares = toShares([...kept.map(({ choice }) => choice.score), ...rest.map(({ score }) => score)]);
  return kept.map((one, at) => ({ ...one, share: shares[at] ?? 0 }));
}

/** What is offered to choose from: plans that are not much less likely than the first. */
function toReadings(tried: readonly Tried[], most: number): readonly Reading[] {
  const readings: Reading[] = [];
  for (const { plan, share } of tried) {
    if (readings.length === most) break;
    if (plan === undefined || share < OFFERED) continue;
    const reading = toReading(LETTERS[readings.length] ?? "c", plan);
    if (!readings.some(({ title }) => title === reading.title)) readings.push(reading);
  }
  return readings;
}

/** The plan of the reading that the sender has chosen, by what it says: others may be offered by now, or in another order. */
function choose(planned: Plan | undefined, title: string): Plan | undefined {
  if (planned !== undefined && planned.kind !== "reject") {
    if (toReading("a", planned).title === title) return planned;
  }
  const readings = planned?.kind === "reject" ? (planned.readings ?? []) : [];
  const chosen = readings.find((reading) => reading.title === title);
  if (chosen === undefined)
    return {
      kind: "reject",
      reason: `What was offered cannot be done any more as it was: ${title}`,
      accepted: "Send the message again.",
      readings,
    };
  if (chosen.adjustments !== undefined) return { kind: "tune", adjustments: chosen.adjustments };
  const { changes = [title], bump, files = {} } = chosen;
  return {
    kind: "change",
    title: toTitle(title),
    changes,
    files: new Map(Object.entries(files)),
    ...(bump === undefined ? {} : { bump }),
  };
}

function toTitle(text: string): string {
  const line = text.replaceAll("`", "").replaceAll(/\s+/g, " ");
  return line.length <= TITLE ? line : `${line.slice(0, TITLE - 1)}…`.toWellFormed();
}

type CheckManifests = ReturnType<typeof createManifestCheck>;

async function work(ground: Ground, deeds: readonly Deed[], check: CheckManifests): Promise<ChangePlan | TunePlan> {
  const bench = createBench(ground);
  for (const deed of deeds) await deed(bench);
  const plan = bench.toPlan();
  if (plan.kind === "change") await check(plan.files, ground);
  return plan;
}

function toReading(id: Reading["id"], plan: ChangePlan | TunePlan): Reading {
  if (plan.kind === "change") {
    const { changes, bump, files } = plan;
    return {
      id,
      title: changes.join(" "),
      changes,
      files: Object.fromEntries(files),
      ...(bump === undefined ? {} : { bump }),
    };
  }
  const title = plan.adjustments
    .map((one) =>
      "experiment" in one ? `${one.kind} ${one.experiment}${"arm" in one ? ` (${one.arm ?? ""})` : ""}` : one.kind,
    )
    .join(", ");
  return { id, title: `Tunes: ${title}.`, adjustments: plan.adjustments };
}

/** A question where there is a reading, and the explanation otherwise. */
function toAnswer(readings: readonly Reading[], explained: RejectPlan | undefined, why?: string): Plan | undefined {
  return readings.length > 0 ? toQuestion(readings, why) : explained;
}

function toQuestion(
  readings: readonly Reading[],
  why = "It is not clear enough what is meant, so nothing was done.",
): Plan {
  const offered = readings.map(({ id, title }) => `(${id}) ${title}`).join(" ");
  return {
    kind: "reject",
    reason: why,
    accepted: `Did you mean ${offered}`,
    readings,
  };
}
