import { CairnError } from "../../../errors.ts";
import { readMessage } from "../../message/read-message.ts";
import { createBench } from "../directives/bench.ts";
import { createManifestCheck } from "../directives/check-manifests.ts";
import { toRejection } from "../../guard/refuse.ts";
import type { ChangePlan, Plan, Reading, TunePlan } from "../plan.ts";
import type { Ground, Planner } from "../planner.ts";
import { explainWish } from "./explain-wish.ts";
import { listPlaces } from "./list-places.ts";
import type { Ranked } from "./rank.ts";
import type { Resolved } from "./resolve.ts";
import { type Heard, hear, hearAll, isAllClear, isTakenBack, mayAsk, OFFERED } from "./heard.ts";

/** Characters of a message that wishes are looked for in. */
const MESSAGE = 4_000;
/** By how much it may cost more than the best one. */
const SPREAD = 1;
/** Readings that are worked out at most, to find those that can be carried out. */
const TRIED = 6;
const TITLE = 100;
/** Before a message that is sent again: which of its readings is meant. */
const CHOICE = /^\s*(?:yes|ja|sí|si|oui|是),? \(?([abc])\)?\s*[:,]\s*/i;
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
      const chosen = CHOICE.exec(feedback.message);
      if (chosen === null) return planWish(feedback.message, ground, checkManifests);
      const asked = await planWish(feedback.message.slice(chosen[0].length), ground, checkManifests);
      return choose(asked, chosen[1]?.toLowerCase() ?? "");
    },
  });
}

async function planWish(text: string, ground: Ground, check: CheckManifests): Promise<Plan | undefined> {
  const places = listPlaces(ground.version);
  const message = readMessage(text.toWellFormed());
  const heard = hear(message, places);
  const isApplied = message.segments.some((segment) => segment.kind === "data" && segment.isApplied);
  if (isApplied || !mayAsk(heard)) return explainWish(heard, places);
  const sentences = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const joined = isAllClear(heard) ? undefined : hearAll(heard, places);
  const drafts = joined === undefined ? sentences : joined.kind === "clear" ? joined.drafts : [];
  try {
    if (drafts.length > 0 && !isTakenBack(heard)) return await work(ground, drafts, check);
  } catch (error) {
    return toRejection(error);
  }
  const readings = await offer(ground, toChoices(heard, joined), check);
  return readings.length > 0 ? toQuestion(readings) : explainWish(heard, places);
}

/** The plan of the reading that the sender has chosen; what is clear by now is planned as it is. */
function choose(asked: Plan | undefined, letter: string): Plan | undefined {
  if (asked === undefined || asked.kind !== "reject") return asked;
  const reading = asked.readings?.find(({ id }) => id === letter);
  if (reading === undefined) return asked;
  if (reading.adjustments !== undefined) return { kind: "tune", adjustments: reading.adjustments };
  const { title, changes = [title], bump, files = {} } = reading;
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

async function work(ground: Ground, drafts: readonly Ranked[], check: CheckManifests): Promise<ChangePlan | TunePlan> {
  const bench = createBench(ground);
  for (const { deed } of drafts) await deed?.(bench);
  const plan = bench.toPlan();
  if (plan.kind === "change") await check(plan.files, ground);
  return plan;
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

function toQuestion(readings: readonly Reading[]): Plan {
  const offered = readings.map(({ id, title }) => `(${id}) ${title}`).join(" ");
  return {
    kind: "reject",
    reason: "It is not clear enough what is meant, so nothing was done.",
    accepted: `Did you mean ${offered} Send the message again with \`yes, a: \` before it, or the letter that is meant.`,
    readings,
  };
}
