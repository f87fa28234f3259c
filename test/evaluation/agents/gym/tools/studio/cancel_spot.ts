import type { Handler } from "cairn-gitops/host-api";

const cancelSpot: Handler<{ spot_no: string }> = async (input, ctx) => {
  const key = ["held", input.spot_no];
  const spot = await ctx.state.get<object>(key);
  if (spot === undefined) throw ctx.fail("NOT_FOUND", `There is no spot ${input.spot_no}.`);
  await ctx.state.set(key, { ...spot, cancelled: input });
  return { cancelled: true };
};

export default cancelSpot;
