import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly conversation_id: string;
  readonly reward: number;
}

interface Output {
  readonly status: "success" | "failure";
  readonly details?: string;
}

/** Credits a reward, or says why it cannot be. A number that is no reward is the caller's mistake and an error. */
const banditReward: Handler<Input, Output> = async ({ conversation_id: id, reward }, ctx) => {
  try {
    const credits = await ctx.tuner.reward(id, reward);
    const details = credits.map(({ experiment, arm, candidate }) => {
      if (arm !== undefined) return `arm \`${arm}\` of \`${experiment}\``;
      return candidate === undefined
        ? `its values of \`${experiment}\``
        : `candidate \`${candidate}\` of \`${experiment}\``;
    });
    return { status: "success", details: `Credited to ${details.join(" and ")}.` };
  } catch (error) {
    if (error instanceof Error && error.name === "CONFLICT") return { status: "failure", details: error.message };
    throw error;
  }
};

export default banditReward;
