import { CairnError } from "../../errors.ts";
import { tunedKey } from "../../store/keys.ts";
import type { Json } from "../../store/store.ts";
import { scaleReward } from "../bandits/scale-reward.ts";
import type { Ledger } from "../ledgers.ts";
import { type Assignment, assignValues } from "../state/assign-values.ts";
import { foldEvent } from "../state/fold-event.ts";
import { isBandit } from "../state/learn.ts";
import type { TuningEvent } from "../state/tuning-event.ts";
import type { TuningState } from "../state/tuning-state.ts";
import type { TunedConversation } from "../tuned-conversation.ts";
import { type Desk, openExperiment, record } from "./desk.ts";
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
export async function step(desk: Desk, { experiment, rewards = [], choose = 0 }: StepRequest) {
  const ledger = await openExperiment(desk, experiment);
  const { set } = ledger;
  if (!isBandit(set.experiment.strategy)) {
    const { kind } = set.experiment.strategy;
    throw new CairnError("BAD_REQUEST", `\`${experiment}\` is tuned by \`${kind}\`, which does not choose among arms.`);
  }
  let state = await ledger.read();
  for (const one of rewards) {
    if ("arm" in one) {
      const event = toObserved(ledger, one.arm, one.reward, desk.now);
      record(desk, ledger, event);
      state = foldEvent(set, state, event);
    } else {
      const { events } = await rewardConversation(desk, one.id, one.reward);
      for (const [of, event] of events) if (of === ledger) state = foldEvent(set, state, event);
    }
  }
  const chosen = choose === 0 ? { choices: [], state } : chooseAnew(desk, ledger, state, choose);
  return { rewarded: rewards.length, choices: chosen.choices, set, state: chosen.state };
}

function chooseAnew(desk: Desk, ledger: Ledger, before: TuningState, count: number) {
  let state = before;
  const choices = Array.from({ length: count }, (_, index): StepChoice => {
    const id = `${desk.callId}.${index}`;
    const assignment = assignValues(ledger.set, state, id, 1);
    state = foldEvent(ledger.set, state, handOut(desk, ledger, id, assignment));
    return { id, ...assignment };
  });
  return { choices, state };
}

/** Stages what makes a choice one that can be rewarded. */
export function handOut(desk: Desk, ledger: Ledger, id: string, assignment: Assignment): TuningEvent {
  const { values: _values, ...assigned } = assignment;
  const { arm, candidate } = assigned;
  const conversation: TunedConversation = {
    schemaVersion: 1,
    commit: desk.version.commit,
    version: desk.version.semver,
    actor: desk.actor,
    at: desk.now,
    outcome: "ok",
    assignments: { [ledger.set.name]: assigned },
  };
  const given = { ...(arm === undefined ? {} : { arm }), ...(candidate === undefined ? {} : { candidate }) };
  const event: TuningEvent = { kind: "assigned", conversation: id, ...given, at: desk.now };
  desk.set(tunedKey(desk.tenant, id), conversation as unknown as Json);
  record(desk, ledger, event);
  return event;
}

function toObserved({ set }: Ledger, arm: string, reward: number, at: number): TuningEvent {
  const { arms, reward: rule } = set.experiment;
  if (!arms.some(({ name }) => name === arm)) {
    const names = arms.map(({ name }) => `\`${name}\``).join(", ");
    throw new CairnError("BAD_REQUEST", `There is no arm \`${arm.slice(0, 64)}\`; there are ${names}.`);
  }
  return { kind: "observed", arm, reward, scaled: scaleReward(rule, reward), at };
}
