import type { Handler } from "../../server/host-api.ts";

const revert: Handler<{ readonly experiment: string }> = async ({ experiment }, ctx) => ({
  state: await ctx.tuner.revert(experiment),
});

export default revert;
