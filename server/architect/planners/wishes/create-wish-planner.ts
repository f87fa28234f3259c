import { CairnError } from "../../../errors.ts";
import { readMessage } from "../../message/read-message.ts";
import { createBench } from "../directives/bench.ts";
import { createManifestCheck } from "../directives/check-manifests.ts";
import { readsLikeInstructions } from "../../guard/find-text-faults.ts";
import { toRejection } from "../../guard/refuse.ts";
import type { ChangePlan, Plan, Reading, RejectPlan, TunePlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import type { Deed } from "../directives/phrase.ts";
import { readClause } from "./clause.ts";
import { guess } from "./guess/guess.ts";
import type { Guess } from "./guess/guess-value.ts";
import { isNoLonger } from "./guess/mood.ts";
import type { Places } from "./places/places.ts";
import { askForValue, explainWish } from "./explain-wish.ts";
import { listPlaces } from "./places/list-places.ts";
import type { Ranked } from "./rank.ts";
import type { Resolved } from "./resolve.ts";
import { type Heard, hear, hearAll, isAllClear, isTakenBack, mayAsk, OFFERED } from "./heard.ts";

/** Characters of a message that wishes are looked for in. */
const MESSAGE = 4_000;
/** By how much it may cost more than the best one. */
const SPREAD = 1;
/** Readings that are worked out at most, to find those that can be carried out. */
const TRIED = 6;
/** What a reading may cost to stand before guesses. */
const NEAR = 0.8;
/** Characters of a message that are guessed at. */
const GUESSED = 1_000;
/** The score of a guess that is offered beside the reason why a reading cannot be carried out. */
const SURE = 5;
const TITLE = 100;
const INSTRUCTING = {
  reason: "The message has text that reads like instructions to a model, so nothing of it is done.",
  accepted: "Say in a sentence of your own what should change.",
};
const LETTERS = ["a", "b", "c"] as const;

/**
 * Makes plans of wishes in people's own words, by what this version has that may be meant. Does what is clear; asks where
 * several things may be meant or words are left over; says why nothing is done otherwise. Nothing is done by halves.
 */
export function createWishPlanner(): Planner {
  const checkManifests = createManifestCheck();
  return Object.freeze<Planner>({
    name: "wishes",
    async plan(feedback, ground): Promise<Plan | undefined> {
      if (feedback.message.length > MESSAGE) return undefined;
      const planned = await planWish(feedback.message, ground, checkManifests);
      return feedback.choice === undefined ? planned : choose(planned, feedback.choice);
    },
  });
}

async function planWish(text: string, ground: Ground, check: CheckManifests): Promise<Plan | undefined> {
  if (readsLikeInstructions(text)) return { kind: "reject", ...INSTRUCTING };
  const places = listPlaces(ground.version);
  const message = readMessage(text.toWellFormed());
  const heard = hear(message, places);
  const isApplied = message.segments.some((segment) => segment.kind === "data" && segment.isApplied);
  if (isApplied || !mayAsk(heard)) return explainWish(heard, places);
  const sentences = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const joined = isAllClear(heard) ? undefined : hearAll(heard, places);
  const drafts = joined === undefined ? sentences : joined.kind === "clear" ? joined.drafts : [];
  let refused: RejectPlan | undefined;
  try {
    if (drafts.length > 0 && !isTakenBack(heard)) return await work(ground, toDeeds(drafts), check);
  } catch (error) {
    refused = toRejection(error);
  }
  const guesses = listGuesses(heard, places).filter(({ score }) => refused === undefined || score >= SURE);
  const read = toChoices(heard, joined);
  const isSure = read.some(({ isNear }) => isNear) || guesses.some(({ score }) => score >= SURE);
  const asked = refused === undefined && !isSure ? askForValue(heard) : undefined;
  if (asked !== undefined) return asked;
  const readings = await offer(ground, listChoices(read, guesses), check);
  return readings.length > 0 ? toQuestion(readings, refused?.reason) : (refused ?? explainWish(heard, places));
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

/** Deeds that together may be meant; of a reading that leaves much unexplained, `isNear` is false. */
interface Choice {
  readonly deeds: readonly Deed[];
  readonly isNear: boolean;
}

/** What a message may mean: readings that explain nearly all of it, then guesses by single words, then the other readings. */
function listChoices(read: readonly Choice[], guesses: readonly Guess[]): readonly Choice[] {
  return [
    ...read.filter(({ isNear }) => isNear),
    ...guesses.slice(0, TRIED).map(({ deed }) => ({ deeds: [deed], isNear: false })),
    ...read.filter(({ isNear }) => !isNear),
  ];
}

/** Guesses at what a message asks for, if a sentence of it asks for anything or says that something is not wanted any more. */
function listGuesses(heard: readonly Heard[], places: Places): readonly Guess[] {
  const own = heard.filter(({ standing }) => standing !== "others");
  const asks = ({ standing, sentence }: Heard) =>
    standing === "order" || standing === "fragment" || (standing === "negation" && isNoLonger(sentence.text));
  if (!own.some(asks)) return [];
  const text = own.map(({ sentence }) => sentence.text).join(" ");
  return guess(readClause(text.slice(0, GUESSED), places), places);
}

/** The clear sentences of a message with each reading of the open one, or each reading of all of it. */
function toChoices(heard: readonly Heard[], joined: Resolved | undefined): readonly Choice[] {
  const clear = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const open = heard.flatMap(({ resolved }) =>
    resolved?.kind === "open" && resolved.drafts.some(({ deed, cost }) => deed !== undefined && cost <= OFFERED)
      ? [resolved]
      : [],
  );
  if (clear.length > 0 && open.length === 0) return [{ deeds: toDeeds(clear), isNear: true }];
  const [first, ...others] = clear.length > 0 ? open : [joined, ...open];
  if (first === undefined || (clear.length > 0 && others.length > 0)) return [];
  const candidates = first.drafts.filter(({ deed, cost }) => deed !== undefined && cost <= OFFERED);
  const least = candidates[0]?.cost ?? 0;
  return candidates
    .filter(({ cost }) => cost - least < SPREAD)
    .slice(0, TRIED)
    .map((draft) => ({ deeds: toDeeds([...clear, draft]), isNear: draft.cost < NEAR }));
}

function toDeeds(drafts: readonly Ranked[]): readonly Deed[] {
  return drafts.flatMap(({ deed }) => deed ?? []);
}

/** The readings that can be carried out. */
async function offer(ground: Ground, choices: readonly Choice[], check: CheckManifests): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const { deeds } of choices) {
    const id = LETTERS[readings.length];
    if (id === undefined) break;
    try {
      const reading = toReading(id, await work(ground, deeds, check));
      if (!readings.some(({ title }) => title === reading.title)) readings.push(reading);
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
    }
  }
  return readings;
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
