import type { Handler } from "cairn-gitops/host-api";

const reportDefect: Handler<{ ship: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["defect", input.ship]);
  const defect_no = `F-${input.ship}-${earlier.length + 1}`;
  await ctx.state.set(["defect", input.ship, defect_no], input);
  return { defect_no };
};

export default reportDefect;
