import type { Handler } from "cairn-gitops/host-api";

const logWaste: Handler<{ reason: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["waste", input.reason]);
  const waste_no = `W-${input.reason}-${earlier.length + 1}`;
  await ctx.state.set(["waste", input.reason, waste_no], input);
  return { waste_no };
};

export default logWaste;
