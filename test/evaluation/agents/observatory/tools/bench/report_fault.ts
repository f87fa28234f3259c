import type { Handler } from "cairn-gitops/host-api";

const reportFault: Handler<{ instrument: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["fault", input.instrument]);
  const fault_no = `F-${input.instrument}-${earlier.length + 1}`;
  await ctx.state.set(["fault", input.instrument, fault_no], input);
  return { fault_no };
};

export default reportFault;
