import type { Handler } from "../../server/host-api.ts";

const propose: Handler<{ readonly experiment: string }> = async ({ experiment }, ctx) => ({
  proposal: await ctx.tuner.propose(experiment),
});

export default propose;
