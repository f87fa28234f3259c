import type { Handler } from "cairn-gitops/host-api";

const reportSnag: Handler<{ tail: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["snag", input.tail]);
  const snag_no = `X-${input.tail}-${earlier.length + 1}`;
  await ctx.state.set(["snag", input.tail, snag_no], input);
  return { snag_no };
};

export default reportSnag;
