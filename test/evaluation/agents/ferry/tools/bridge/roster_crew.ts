import type { Handler } from "cairn-gitops/host-api";

const rosterCrew: Handler<{ ship: string; crew: readonly string[] }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["duty", input.ship]);
  const duty_no = `D-${input.ship}-${earlier.length + 1}`;
  await ctx.state.set(["duty", input.ship, duty_no], input);
  return { duty_no, hands: input.crew.length };
};

export default rosterCrew;
