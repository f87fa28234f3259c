import type { Handler } from "cairn-gitops/host-api";

const logReading: Handler<{ tank: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["reading", input.tank]);
  const reading_no = `RD-${input.tank.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["reading", input.tank, reading_no], input);
  return { reading_no };
};

export default logReading;
