import { CairnError } from "../../../errors.ts";
import type { createManifestCheck } from "../directives/check-manifests.ts";
import { createBench } from "../directives/bench.ts";
import type { Deed } from "../directives/phrase.ts";
import type { ChangePlan, TunePlan } from "../plan.ts";
import type { Ground } from "../planner.ts";
import { type Choice, toShares, TRIED } from "./choices.ts";

/** Probability of what cannot be carried out from which on nothing else is done unasked. */
const LOST = 0.3;
/** Begins the refusal of what is so already. */
export const ALREADY = "This version is like that already";

/** The commit that a wish is about, and how far it is read. */
export interface Reader {
  readonly ground: Ground;
  readonly check: CheckManifests;
  /** Readings to offer at most. */
  readonly most: number;
}

type CheckManifests = ReturnType<typeof createManifestCheck>;

/** A choice that was worked out; `plan` is absent where it is so already. */
export interface Tried {
  readonly choice: Choice;
  readonly plan: ChangePlan | TunePlan | undefined;
  /** How likely it is what is meant, from 0 to 1. */
  readonly share: number;
  /** True where what is likelier by all signs cannot be carried out: that may be meant all the same. */
  readonly isSecond: boolean;
}

/** Works out the likeliest of some choices; those that cannot be carried out count no more. */
export async function tryAll(reader: Reader, choices: readonly Choice[]): Promise<readonly Tried[]> {
  const kept: Omit<Tried, "share">[] = [];
  const before = toShares(choices.map(({ score }) => score));
  let lost = 0;
  let at = 0;
  for (; at < choices.length && kept.length < Math.max(TRIED, reader.most); at += 1) {
    const choice = choices[at];
    if (choice === undefined) break;
    const outcome = await tryOne(choice, reader);
    if (outcome === undefined) lost += before[at] ?? 0;
    else kept.push({ choice, plan: outcome.plan, isSecond: lost > LOST });
  }
  const shares = toShares([...kept.map(({ choice }) => choice), ...choices.slice(at)].map(({ score }) => score));
  return kept.map((one, place) => ({ ...one, share: shares[place] ?? 0 }));
}

/** Works out a choice; undefined where it cannot be carried out. */
async function tryOne({ deeds }: Choice, reader: Reader): Promise<Pick<Tried, "plan"> | undefined> {
  try {
    return { plan: await work(reader, deeds) };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return error.message.startsWith(ALREADY) ? { plan: undefined } : undefined;
  }
}

/** Plans what some deeds change together; throws where that is nothing, or no valid manifest. */
export async function work(
  { ground, check }: Pick<Reader, "ground" | "check">,
  deeds: readonly Deed[],
): Promise<ChangePlan | TunePlan> {
  const bench = createBench(ground);
  for (const deed of deeds) await deed(bench);
  const plan = bench.toPlan();
  if (plan.kind === "change") await check(plan.files, ground);
  return plan;
}
