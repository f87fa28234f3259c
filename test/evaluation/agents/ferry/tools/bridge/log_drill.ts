import type { Handler } from "cairn-gitops/host-api";

const logDrill: Handler<{ ship: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["drill", input.ship]);
  const drill_no = `R-${input.ship}-${earlier.length + 1}`;
  await ctx.state.set(["drill", input.ship, drill_no], input);
  return { drill_no };
};

export default logDrill;
