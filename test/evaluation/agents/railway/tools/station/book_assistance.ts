import type { Handler } from "cairn-gitops/host-api";

// All of the request is kept; the helper's tablet shows it.
const bookAssistance: Handler<{ station: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["assistance", input.station]);
  const assistance_no = `A-${input.station}-${earlier.length + 1}`;
  await ctx.state.set(["assistance", input.station, assistance_no], input);
  return { assistance_no };
};

export default bookAssistance;
