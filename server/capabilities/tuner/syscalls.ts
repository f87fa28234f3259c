import { experimentsOf, openExperiment, type RewardDesk } from "./actions/desk.ts";
import { type FitRequest, fitPreferences } from "./actions/fit-preferences.ts";
import { iterate, type IterateRequest } from "./actions/iterate.ts";
import { promote, type PromoteRequest, revert } from "./actions/promote.ts";
import { propose } from "./actions/propose.ts";
import { rewardConversation } from "./actions/reward-conversation.ts";
import { step, type StepRequest } from "./actions/step.ts";
import type { Ledgers } from "./ledgers.ts";
import { toExperimentView } from "./views/experiment-view.ts";
import type { ParameterValue } from "../../versions/experiment.ts";
import type { ParameterSet, Version } from "../../versions/version.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { findCall } from "../../store/calls/find-calls.ts";
import type { Store } from "../../store/store.ts";
import { defineSyscalls, type RunSyscall, toJson } from "../../kernel/dispatch.ts";

/** Results, choices, candidates, pairs or rankings that one call may carry. */
const BATCH_LIMIT = 1000;
const ITEM_LIMIT = 64;

const NAME = { type: "string", minLength: 1, maxLength: 64 };
const ID = { type: "string", minLength: 1, maxLength: 64 };
const COUNT = { type: "integer", minimum: 0, maximum: BATCH_LIMIT };
const VALUES = {
  type: "object",
  maxProperties: 200,
  additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
};
const NUMBERS = { type: "object", maxProperties: 200, additionalProperties: { type: "number" } };

const rewardArguments = check<{ conversationId: string; reward: number }>("reward", ["conversationId", "reward"], {
  conversationId: { type: "string" },
  reward: { type: "number" },
});
const stepArguments = check<StepRequest>("step", ["experiment"], {
  experiment: NAME,
  choose: COUNT,
  rewards: list({
    type: "object",
    required: ["reward"],
    properties: { id: ID, arm: NAME, reward: { type: "number" } },
    oneOf: [{ required: ["id"] }, { required: ["arm"] }],
    additionalProperties: false,
  }),
});
const iterateArguments = check<IterateRequest>("iterate", ["experiment"], {
  experiment: NAME,
  ask: COUNT,
  results: list({
    type: "object",
    required: ["candidate"],
    properties: { candidate: ID, value: { type: "number" }, failed: { const: true } },
    oneOf: [{ required: ["value"] }, { required: ["failed"] }],
    additionalProperties: false,
  }),
});
const fitArguments = check<FitRequest>("fit", ["experiment"], {
  experiment: NAME,
  pairs: {
    ...list({
      type: "object",
      properties: { winner: NAME, loser: NAME, tie: { type: "boolean" }, preferred: NUMBERS, other: NUMBERS },
      oneOf: [{ required: ["winner", "loser"] }, { required: ["preferred", "other"] }],
      additionalProperties: false,
    }),
    maxItems: 10 * BATCH_LIMIT,
  },
  rankings: list({ type: "array", minItems: 2, maxItems: ITEM_LIMIT, items: NAME }),
});
const promoteArguments = check<PromoteRequest>("promote", ["experiment"], {
  experiment: NAME,
  arm: NAME,
  values: VALUES,
});
const nameArguments = check<{ experiment: string }>("revert", ["experiment"], { experiment: NAME });
const stateArguments = check<{ experiment?: string }>("state", [], { experiment: NAME });

/** The change of a manifest that makes values the defaults; undefined where they are so already. */
export type DraftDefaults = (
  version: Version,
  set: ParameterSet,
  values: Readonly<Record<string, ParameterValue>>,
) => Promise<Draft | undefined>;

export interface Draft {
  /** As `git apply` takes it. */
  readonly patch: string;
  /** A message that has the Architect make the same change. */
  readonly feedback: string;
}

export interface TunerSyscallOptions {
  readonly ledgers: Ledgers;
  readonly store: Store;
  /** Absent: proposals have values and evidence alone. */
  readonly draftDefaults?: DraftDefaults;
  readonly now: () => number;
}

/** `ctx.tuner`: what is known of this version's experiments, and what moves them, staged in the call's transaction. */
export function createTunerSyscalls(options: TunerSyscallOptions) {
  const tune =
    (run: (desk: RewardDesk, args: unknown) => Promise<unknown>): RunSyscall =>
    async (call, args) =>
      toJson(await run(toDesk(call, options), args));
  return defineSyscalls({
    "tuner.reward": tune(async (desk, args) => {
      const { conversationId, reward } = rewardArguments(args);
      return (await rewardConversation(desk, conversationId, reward)).credits;
    }),
    "tuner.step": tune(async (desk, args) => {
      const { set, state, ...done } = await step(desk, stepArguments(args));
      return { ...done, state: toExperimentView(set, state) };
    }),
    "tuner.iterate": tune(async (desk, args) => {
      const { set, state, ...done } = await iterate(desk, iterateArguments(args));
      return { ...done, state: toExperimentView(set, state) };
    }),
    "tuner.fit": tune(async (desk, args) => {
      const { set, state, ...done } = await fitPreferences(desk, fitArguments(args));
      return { ...done, state: toExperimentView(set, state) };
    }),
    "tuner.promote": tune(async (desk, args) => {
      const { set, state } = await promote(desk, promoteArguments(args));
      return toExperimentView(set, state);
    }),
    "tuner.revert": tune(async (desk, args) => {
      const { set, state } = await revert(desk, nameArguments(args));
      return toExperimentView(set, state);
    }),
    "tuner.propose": tune(async (desk, args) => {
      const proposal = await propose(desk, nameArguments(args));
      const set = desk.version.parameters.get(proposal.experiment);
      return { ...proposal, ...(set && (await options.draftDefaults?.(desk.version, set, proposal.values))) };
    }),
    "tuner.state": tune(async (desk, args) => {
      const { experiment } = stateArguments(args);
      const names = experiment === undefined ? experimentsOf(desk.version) : [experiment];
      return Promise.all(
        names.map(async (name) => {
          const ledger = await openExperiment(desk, name);
          return toExperimentView(ledger.set, await ledger.read());
        }),
      );
    }),
  });
}

function toDesk(call: RunningCall, { ledgers, store, now }: TunerSyscallOptions): RewardDesk {
  const { version, principal, effects, info, settled } = call;
  const { tenant, actor } = principal;
  const own = { version, tenant, actor, callId: info.conversationId, now: now() };
  return {
    ...effects,
    ...own,
    ledgers,
    settled,
    findCall: (id) => findCall(store, { tenant, commit: version.commit, id }),
  };
}

function check<Arguments>(name: string, required: readonly string[], properties: object) {
  return createMemberCheck<Arguments>(`tuner.${name}`, required, properties);
}

function list(items: object) {
  return { type: "array", maxItems: BATCH_LIMIT, items };
}
