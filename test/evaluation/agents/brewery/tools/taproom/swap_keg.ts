import type { Handler } from "cairn-gitops/host-api";

const swapKeg: Handler<{ tap: number }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["tap", String(input.tap)]);
  const change_no = `C-${input.tap}-${earlier.length + 1}`;
  await ctx.state.set(["tap", String(input.tap), change_no], input);
  return { change_no };
};

export default swapKeg;
