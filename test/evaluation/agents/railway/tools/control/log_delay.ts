import type { Handler } from "cairn-gitops/host-api";

const logDelay: Handler<{ train_no: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["delay", input.train_no]);
  const delay_no = `D-${input.train_no}-${earlier.length + 1}`;
  await ctx.state.set(["delay", input.train_no, delay_no], input);
  return { delay_no };
};

export default logDelay;
