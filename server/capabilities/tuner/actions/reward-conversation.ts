import { CairnError } from "../../../errors.ts";
import { isUuid } from "../../../identifiers.ts";
import { isObject } from "../../../json/is-object.ts";
import { conversationKey, tunedKey } from "../../../store/keys.ts";
import type { Json } from "../../../store/store.ts";
import { scaleReward } from "../bandits/scale-reward.ts";
import type { Ledger } from "../ledger.ts";
import type { TuningEvent } from "../state/tuning-event.ts";
import { toGiven } from "../state/values.ts";
import { readTunedConversation, type TunedConversation } from "../tuned-conversation.ts";
import { openExperiment, record, type RewardDesk } from "./desk.ts";

/** Receiver of a reward. */
export interface Credit {
  readonly experiment: string;
  readonly arm?: string;
  readonly candidate?: string;
  /** On [0, 1], where 1 is best. */
  readonly scaled: number;
}

export interface Credited {
  readonly credits: readonly Credit[];
  readonly events: readonly (readonly [ledger: Ledger, event: TuningEvent])[];
}

/** As the ids of choices are: the call that handed them out, and their number. */
const CHOICE = /^(.+)\.(\d{1,4})$/;

/**
 * Credits a reward to what its conversation, or choice, was given, once.
 * @throws CONFLICT with the reason when it cannot be credited, BAD_REQUEST when it is no reward.
 */
export async function rewardConversation(desk: RewardDesk, id: string, reward: number): Promise<Credited> {
  const conversation = await findConversation(desk, id);
  const { commit, version, outcome, assignments, at } = conversation;
  if (commit !== desk.version.commit) throw elsewhere(id, version, commit);
  if (outcome !== "ok") throw conflict(`The call \`${id}\` failed (\`${outcome}\`), so it earns no reward.`);
  if (conversation.reward !== undefined) throw conflict(`Conversation \`${id}\` has had its reward already.`);
  const events: [Ledger, TuningEvent][] = [];
  const credits: Credit[] = [];
  for (const [experiment, assignment] of Object.entries(assignments)) {
    const { arm, candidate, propensities } = assignment;
    const ledger = await openExperiment(desk, experiment);
    const { reward: rule } = ledger.set.experiment;
    const scaled = scaleReward(rule, reward);
    if (rule.late === "drop" && desk.now - at > rule.deadline * 1000) {
      throw conflict(`The reward of \`${id}\` comes too late: \`${experiment}\` waits ${rule.deadline} seconds.`);
    }
    credits.push({
      experiment,
      ...(arm === undefined ? {} : { arm }),
      ...(candidate === undefined ? {} : { candidate }),
      scaled,
    });
    const event: TuningEvent = {
      kind: "rewarded",
      conversation: id,
      ...toGiven(assignment),
      ...(propensities === undefined ? {} : { propensities }),
      reward,
      scaled,
      assignedAt: at,
      actor: desk.actor,
      at: desk.now,
    };
    events.push([ledger, event]);
  }
  // Whoever else rewards it meanwhile changes this entry, and then only one of the two calls can be written.
  desk.set(tunedKey(desk.tenant, id), { ...conversation, reward } as unknown as Json);
  for (const [ledger, event] of events) record(desk, ledger, event);
  return { credits, events };
}

async function findConversation(desk: RewardDesk, id: string): Promise<TunedConversation> {
  const [, callId = id] = CHOICE.exec(id) ?? [];
  if (!isUuid(callId)) throw unknown(id);
  // Whoever has an answer can reward it, though records may trail answers.
  await desk.settled();
  const tuned = await desk.get(tunedKey(desk.tenant, id));
  if (tuned !== undefined) return readTunedConversation(tuned);
  const call = await desk.findCall(id);
  if (isObject(call) && call["conversationId"] === id) {
    const outcome = String(call["outcome"]);
    if (outcome !== "ok") throw conflict(`The call \`${id}\` failed (\`${outcome}\`), so it earns no reward.`);
    throw conflict(`\`${String(call["tool"])}\` reads no parameters that are tuned, so \`${id}\` earns no reward.`);
  }
  const other = await desk.get(conversationKey(desk.tenant, id));
  if (isObject(other)) throw elsewhere(id, String(other["version"]), String(other["commit"]));
  throw unknown(id);
}

/** Creates one error for ids that do not exist and ids of another tenant, so that ids cannot be probed. */
function unknown(id: string): CairnError {
  return conflict(`There is no conversation \`${id.slice(0, 64)}\` to reward.`);
}

function elsewhere(id: string, version: string, commit: string): CairnError {
  return conflict(`Conversation \`${id}\` belongs to version ${version}; reward it at /agent/${commit}/tuner.`);
}

function conflict(message: string): CairnError {
  return new CairnError("CONFLICT", message);
}
