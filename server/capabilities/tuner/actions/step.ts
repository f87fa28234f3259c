import { CairnError } from "../../../errors.ts";
import { tunedKey } from "../../../store/keys.ts";
import type { Json } from "../../../store/store.ts";
import { scaleReward } from "../bandits/scale-reward.ts";
import type { Ledger } from "../ledger.ts";
import { type Assignment, assignValues } from "../state/assign-values.ts";
import { isBandit } from "../state/learn.ts";
import type { TuningEvent } from "../state/tuning-event.ts";
import { toGiven } from "../state/values.ts";
import type { TunedConversation } from "../tuned-conversation.ts";
import { type Book, type Desk, openBook, type RewardDesk } from "./desk.ts";
import { rewardConversation } from "./reward-conversation.ts";

export interface StepRequest {
  readonly experiment: string;
  /** Each of a conversation or choice (`id`), or of an arm. */
  readonly rewards?: readonly ({ readonly reward: number } & ({ readonly id: string } | { readonly arm: string }))[];
  readonly choose?: number;
}

export interface StepChoice extends Assignment {
  /** To reward it with. */
  readonly id: string;
}

/**
 * One batch: all rewards, or none of them if one cannot be credited, and then choices of which each knows the pulls of
 * those before it, so that they are not all the same.
 */
export async function step(desk: RewardDesk, { experiment, rewards = [], choose = 0 }: StepRequest) {
  const book = await openBook(desk, experiment);
  const { ledger, set } = book;
  if (!isBandit(set.experiment.strategy)) {
    const { kind } = set.experiment.strategy;
    throw new CairnError("BAD_REQUEST", `\`${experiment}\` is tuned by \`${kind}\`, which does not choose among arms.`);
  }
  for (const one of rewards) {
    if ("arm" in one) book.enter(toObserved(ledger, one.arm, one.reward, desk.now));
    else {
      const { events } = await rewardConversation(desk, one.id, one.reward);
      for (const [of, event] of events) if (of === ledger) book.count(event);
    }
  }
  const choices = Array.from({ length: choose }, (_, index): StepChoice => {
    const id = `${desk.callId}.${index}`;
    const assignment = assignValues(set, book.state(), id, 1);
    handOut(desk, book, id, assignment);
    return { id, ...assignment };
  });
  return { rewarded: rewards.length, choices, set, state: book.state() };
}

/** Stages what makes a choice one that can be rewarded. */
export function handOut(desk: Desk, { set, enter }: Book, id: string, assignment: Assignment): void {
  const { values: _values, ...assigned } = assignment;
  const conversation: TunedConversation = {
    schemaVersion: 1,
    commit: desk.version.commit,
    version: desk.version.semver,
    actor: desk.actor,
    at: desk.now,
    outcome: "ok",
    assignments: { [set.name]: assigned },
  };
  desk.set(tunedKey(desk.tenant, id), conversation as unknown as Json);
  enter({ kind: "assigned", conversation: id, ...toGiven(assigned), at: desk.now });
}

function toObserved({ set }: Ledger, arm: string, reward: number, at: number): TuningEvent {
  const { arms, reward: rule } = set.experiment;
  if (!arms.some(({ name }) => name === arm)) {
    const names = arms.map(({ name }) => `\`${name}\``).join(", ");
    throw new CairnError("BAD_REQUEST", `There is no arm \`${arm.slice(0, 64)}\`; there are ${names}.`);
  }
  return { kind: "observed", arm, reward, scaled: scaleReward(rule, reward), at };
}
