import { CairnError } from "../../../errors.ts";
import type { Message, Sentence } from "../../message/message.ts";
import { ownSentences, readMessage } from "../../message/read-message.ts";
import { createBench } from "../directives/bench.ts";
import { createManifestCheck } from "../directives/check-manifests.ts";
import { toRejection } from "../../guard/refuse.ts";
import type { ChangePlan, Plan, Reading, TunePlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import { explainWish } from "./explain-wish.ts";
import { listPlaces } from "./list-places.ts";
import type { Places } from "./places.ts";
import type { Ranked } from "./rank.ts";
import { type Resolved, resolve, resolveWhole } from "./resolve.ts";
import { readClause } from "./clause.ts";
import { type Standing, standingOf } from "./standing.ts";

export interface Heard {
  readonly sentence: Sentence;
  readonly standing: Standing;
  readonly resolved?: Resolved | undefined;
}

/** Characters of a message that wishes are looked for in. */
const MESSAGE = 4_000;
const SENTENCES = 20;
/** What a reading may cost to be offered. */
const OFFERED = 2.3;
/** By how much it may cost more than the best one. */
const SPREAD = 1;
/** Readings that are worked out at most, to find those that can be carried out. */
const TRIED = 6;
/** Characters of a message that are read as one wish. */
const JOINED = 1_000;
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
      const places = listPlaces(ground.version);
      const message = readMessage(feedback.message.toWellFormed());
      const heard = hear(message, places);
      const isBlocked = isTakenBack(heard);
      const isApplied = message.segments.some((segment) => segment.kind === "data" && segment.isApplied);
      if (isApplied || !mayAsk(heard)) return explainWish(heard, places);
      const sentences = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
      const joined = isAllClear(heard) ? undefined : hearAll(heard, places);
      const drafts = joined === undefined ? sentences : joined.kind === "clear" ? joined.drafts : undefined;
      try {
        if (drafts !== undefined && drafts.length > 0 && !isBlocked) return await work(ground, drafts, checkManifests);
      } catch (error) {
        return toRejection(error);
      }
      const readings = await offer(ground, toChoices(heard, joined), checkManifests);
      return readings.length > 0 ? toQuestion(readings) : explainWish(heard, places);
    },
  });
}

/** Reads each sentence by itself. */
function hear(message: Message, places: Places): readonly Heard[] {
  const sentences = ownSentences(message).filter(({ introduces }) => !introduces);
  return sentences.slice(0, SENTENCES).map((sentence) => {
    const standing = standingOf(sentence);
    const acts = standing === "order" || standing === "fragment";
    return { sentence, standing, resolved: acts ? resolve(sentence.text, places) : undefined };
  });
}

/** Whether a sentence may take a wish back: anything but an order or a plain tale, save that what is not, said before, only says why. */
function isTakenBack(heard: readonly Heard[]): boolean {
  const last = heard.findLastIndex(({ standing }) => standing === "order" || standing === "fragment");
  return heard.some(({ standing, sentence }, at) => {
    if (standing === "negation")
      return at > last || /^(?:please |pls )?(?:don'?t|do not|never|no)\b/i.test(sentence.text);
    return !["order", "fragment", "aside"].includes(standing);
  });
}

/** Whether nothing of a message is left to guess: every order is clear, and every fragment is clear or says nothing. */
function isAllClear(heard: readonly Heard[]): boolean {
  const acting = heard.filter(({ resolved }) => resolved !== undefined);
  const isSilent = ({ standing, resolved }: Heard) => standing === "fragment" && !isWishful(resolved);
  return (
    acting.some(({ resolved }) => resolved?.kind === "clear") &&
    acting.every((one) => one.resolved?.kind === "clear" || isSilent(one))
  );
}

/** Whether a fragment may be a wish: it names something and a value. */
function isWishful(resolved: Resolved | undefined): boolean {
  return resolved?.drafts.some(({ deed, cost }) => deed !== undefined && cost < OFFERED) === true;
}

/** All that a message says, as one wish: what one sentence names, another may say what is to become of. */
function hearAll(heard: readonly Heard[], places: Places): Resolved | undefined {
  const told = heard.filter(({ standing }) => standing !== "others");
  const text = told.map(({ sentence }) => sentence.text).join(" ");
  if (text.length > JOINED) return undefined;
  const resolved = resolveWhole(text, places);
  if (resolved.kind === "open") return resolved;
  // The value has to be in a sentence that asks for something.
  let at = 0;
  const orders = told.flatMap(({ sentence, standing }) => {
    const span = { start: at, end: at + sentence.text.length };
    at = span.end + 1;
    return standing === "order" || standing === "fragment" ? [span] : [];
  });
  const clause = readClause(text, places);
  const isOrdered = (place: number) =>
    orders.some(
      ({ start, end }) => (clause.tokens[place]?.start ?? 0) >= start && (clause.tokens[place]?.end ?? 0) <= end,
    );
  const [draft] = resolved.drafts;
  const verbs = [...clause.actions.values()].flat();
  const values = [...(draft?.values ?? [])];
  const isWished =
    values.length > 0
      ? values.some(isOrdered)
      : verbs.some((place) => draft?.explained.has(place) === true && isOrdered(place));
  return isWished ? resolved : { kind: "open", clause, drafts: resolved.drafts };
}

type CheckManifests = ReturnType<typeof createManifestCheck>;

async function work(ground: Ground, drafts: readonly Ranked[], check: CheckManifests): Promise<ChangePlan | TunePlan> {
  const bench = createBench(ground);
  for (const { deed } of drafts) await deed?.(bench);
  const plan = bench.toPlan();
  if (plan.kind === "change") await check(plan.files, ground);
  return plan;
}

/** Whether a message may be a wish at all: it has a sentence that asks for something, or that tells what is wrong or not wanted. */
function mayAsk(heard: readonly Heard[]): boolean {
  return (
    heard.some(({ standing }) => ["order", "fragment", "negation", "condition"].includes(standing)) ||
    heard.some(
      ({ standing, sentence }) => standing === "question" && /^(?:could|can|would|may|should)\b/i.test(sentence.text),
    )
  );
}

/** What a message may mean: its clear sentences with each reading of the open one, or each reading of all of it. */
function toChoices(heard: readonly Heard[], joined: Resolved | undefined): readonly (readonly Ranked[])[] {
  const clear = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const open = heard.flatMap(({ resolved }) =>
    resolved?.kind === "open" && resolved.drafts.some(({ deed, cost }) => deed !== undefined && cost <= OFFERED)
      ? [resolved]
      : [],
  );
  if (clear.length > 0 && open.length === 0) return [clear];
  const [first, ...others] = clear.length > 0 ? open : [joined, ...open];
  if (first === undefined || (clear.length > 0 && others.length > 0)) return [];
  const candidates = first.drafts.filter(({ deed, cost }) => deed !== undefined && cost <= OFFERED);
  const least = candidates[0]?.cost ?? 0;
  return candidates
    .filter(({ cost }) => cost - least < SPREAD)
    .slice(0, TRIED)
    .map((draft) => [...clear, draft]);
}

/** The readings that can be carried out. */
async function offer(
  ground: Ground,
  choices: readonly (readonly Ranked[])[],
  check: CheckManifests,
): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const drafts of choices) {
    const id = LETTERS[readings.length];
    if (id === undefined) break;
    try {
      const reading = toReading(id, await work(ground, drafts, check));
      if (!readings.some(({ title }) => title === reading.title)) readings.push(reading);
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
    }
  }
  return readings;
}

function toReading(id: Reading["id"], plan: ChangePlan | TunePlan): Reading {
  if (plan.kind === "change") return { id, title: plan.changes.join(" "), files: Object.fromEntries(plan.files) };
  const title = plan.adjustments
    .map((one) =>
      "experiment" in one ? `${one.kind} ${one.experiment}${"arm" in one ? ` (${one.arm ?? ""})` : ""}` : one.kind,
    )
    .join(", ");
  return { id, title: `Tunes: ${title}.`, adjustments: plan.adjustments };
}

function toQuestion(readings: readonly Reading[]): Plan {
  const offered = readings.map(({ id, title }) => `(${id}) ${title}`).join(" ");
  return {
    kind: "reject",
    reason: "It is not clear enough what is meant, so nothing was done.",
    accepted: `Did you mean ${offered} Say it in these words.`,
    readings,
  };
}
