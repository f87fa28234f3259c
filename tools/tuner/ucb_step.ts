import type { Context, Handler } from "../../server/host-api.ts";

interface Input {
  readonly experiment: string;
  readonly rewards: readonly {
    readonly conversation_id?: string;
    readonly choice_id?: string;
    readonly arm?: string;
    readonly reward: number;
  }[];
  readonly choose: number;
}

type Choice = Awaited<ReturnType<Context["tuner"]["step"]>>["choices"][number];

/** Rewards first, then choices that know of them. */
const ucbStep: Handler<Input> = async ({ experiment, rewards, choose }, ctx) => {
  const done = await ctx.tuner.step({ experiment, rewards: rewards.map(toReward), choose });
  return { rewarded: done.rewarded, choices: done.choices.map(toChoice), state: done.state };
};

function toReward({ conversation_id: conversation, choice_id: choice, arm, reward }: Input["rewards"][number]) {
  return arm === undefined ? { id: conversation ?? choice ?? "", reward } : { arm, reward };
}

function toChoice({ id, arm, values, propensities }: Choice) {
  return {
    choice_id: id,
    ...(arm === undefined ? {} : { arm }),
    values,
    ...(propensities === undefined ? {} : { propensities }),
  };
}

export default ucbStep;
