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
import { type Resolved, resolve } from "./resolve.ts";
import { type Standing, standingOf } from "./standing.ts";

export interface Heard {
  readonly sentence: Sentence;
  readonly standing: Standing;
  readonly resolved?: Resolved | undefined;
}

/** Characters of a message that wishes are looked for in. */
const MESSAGE = 4_000;
const SENTENCES = 20;
/** Readings that are offered at most. */
const READINGS = 3;
/** What a reading may cost to be offered. */
const OFFERED = 2.3;
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
      const acting = heard.filter(({ resolved }) => resolved !== undefined);
      const blocked = heard.some(({ standing }) => !["order", "fragment", "aside"].includes(standing));
      const isApplied = message.segments.some((segment) => segment.kind === "data" && segment.isApplied);
      if (acting.length === 0 || isApplied) return explainWish(feedback, heard, places);
      try {
        const clear = acting.every(({ resolved }) => resolved?.kind === "clear");
        if (clear && !blocked)
          return await work(
            ground,
            acting.flatMap(({ resolved }) => resolved?.drafts ?? []),
            checkManifests,
          );
      } catch (error) {
        return toRejection(error);
      }
      const readings = await offer(ground, acting, checkManifests);
      return readings.length > 0 ? toQuestion(readings, heard) : explainWish(feedback, heard, places);
    },
  });
}

/** Reads each sentence. One that is not clear by itself is read with the one before it, which may name what it is about. */
function hear(message: Message, places: Places): readonly Heard[] {
  const sentences = ownSentences(message)
    .filter(({ introduces }) => !introduces)
    .slice(0, SENTENCES);
  const heard: Heard[] = [];
  for (const sentence of sentences) {
    const standing = standingOf(sentence);
    const resolved = standing === "order" || standing === "fragment" ? resolve(sentence.text, places) : undefined;
    const last = heard.at(-1);
    const joined =
      (resolved?.kind === "open" && standing === "order" && last?.standing === "aside") ||
      (resolved?.kind === "open" && last?.resolved?.kind === "open")
        ? resolve(`${last?.sentence.text.replace(/[.!]\s*$/, "")} ${sentence.text}`, places)
        : undefined;
    if (joined?.kind === "clear") {
      heard[heard.length - 1] = { sentence: last?.sentence ?? sentence, standing: "aside" };
      heard.push({ sentence, standing, resolved: joined });
    } else if (standing === "fragment" && resolved?.kind === "open")
      heard.push({
        sentence,
        standing: isWishful(resolved) ? standing : "aside",
        ...(isWishful(resolved) ? { resolved } : {}),
      });
    else heard.push({ sentence, standing, resolved });
  }
  return heard;
}

/** Whether a fragment names something well enough to be asked about. */
function isWishful({ drafts: [best] }: Resolved): boolean {
  return best !== undefined && best.cost < 1.6;
}

type CheckManifests = ReturnType<typeof createManifestCheck>;

async function work(ground: Ground, drafts: readonly Ranked[], check: CheckManifests): Promise<ChangePlan | TunePlan> {
  const bench = createBench(ground);
  for (const { deed } of drafts) await deed?.(bench);
  const plan = bench.toPlan();
  if (plan.kind === "change") await check(plan.files, ground);
  return plan;
}

/** The readings of a message that can be carried out: what is clear in it, with each that its open part may mean. */
async function offer(ground: Ground, acting: readonly Heard[], check: CheckManifests): Promise<readonly Reading[]> {
  const clear = acting.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const open = acting.flatMap(({ resolved }) => (resolved?.kind === "open" ? [resolved] : []));
  const [first, ...others] = open;
  if (others.length > 0) return [];
  const least = first?.drafts[0]?.cost ?? 0;
  const choices =
    first === undefined
      ? [clear]
      : first.drafts
          .filter(({ deed, cost }) => deed !== undefined && cost <= OFFERED && cost - least < 1.3)
          .slice(0, 6)
          .map((draft) => [...clear, draft]);
  const readings: Reading[] = [];
  for (const drafts of choices) {
    if (readings.length === READINGS) break;
    try {
      const plan = await work(ground, drafts, check);
      const id = LETTERS[readings.length] ?? "a";
      readings.push(toReading(id, plan));
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

function toQuestion(readings: readonly Reading[], heard: readonly Heard[]): Plan {
  const words = heard.flatMap(({ resolved }) =>
    resolved?.kind === "open"
      ? (resolved.drafts[0]?.open ?? []).map((at) => resolved.clause.tokens[at]?.text ?? "")
      : [],
  );
  const left =
    words.length === 0 ? "" : ` These words were not understood: ${words.map((word) => `\`${word}\``).join(", ")}.`;
  const offered = readings.map(({ id, title }) => `(${id}) ${title}`).join(" ");
  return {
    kind: "reject",
    reason: `It is not clear enough what is meant, so nothing was done.${left}`,
    accepted: `Did you mean ${offered}${/[.!?]$/.test(offered) ? "" : "."} Say it in these words, or answer with the letter.`,
    readings,
  };
}
