import type { Handler } from "cairn-gitops/host-api";

// All of the request is kept, so the staff see whatever was written.
const setClimate: Handler<{ house: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["climate", input.house]);
  const setting_no = `C-${input.house}-${earlier.length + 1}`;
  await ctx.state.set(["climate", input.house, setting_no], input);
  return { setting_no };
};

export default setClimate;
