import type { Handler } from "cairn-gitops/host-api";

const reportDamage: Handler<{ spot: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["damage", input.spot]);
  const damage_no = `D-${input.spot}-${earlier.length + 1}`;
  await ctx.state.set(["damage", input.spot, damage_no], input);
  return { damage_no };
};

export default reportDamage;
