import type { Handler } from "cairn-gitops/host-api";

const proposePurchase: Handler<{ title: string }> = async (input, ctx) => {
  const proposal = `B-${String(Math.floor(ctx.random() * 10_000)).padStart(4, "0")}`;
  await ctx.state.set(["proposal", proposal], input);
  return { proposal, decision: "pending" };
};

export default proposePurchase;
