import type { Handler } from "cairn-gitops/host-api";

// All of the request is kept, so the staff see whatever was written.
const logPlanting: Handler<{ bed: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["planting", input.bed]);
  const planting_no = `N-${input.bed}-${earlier.length + 1}`;
  await ctx.state.set(["planting", input.bed, planting_no], input);
  return { planting_no };
};

export default logPlanting;
