import type { Handler } from "cairn-gitops/host-api";

// All of the request is kept, so the staff see whatever was written.
const reportPest: Handler<{ house: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["pest", input.house]);
  const report_no = `B-${input.house}-${earlier.length + 1}`;
  await ctx.state.set(["pest", input.house, report_no], input);
  return { report_no };
};

export default reportPest;
