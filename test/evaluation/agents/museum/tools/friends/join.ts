import type { Handler } from "cairn-gitops/host-api";

const EUROS: Readonly<Record<string, number>> = { single: 35, couple: 60, family: 75, patron: 250 };

const join: Handler<{ tier: string; years: number }> = async (input, ctx) => {
  const member_no = `F-${String(30_000 + Math.floor(ctx.random() * 60_000))}`;
  await ctx.state.set(["friend", member_no], input);
  return { member_no, fee: (EUROS[input.tier] ?? 0) * input.years };
};

export default join;
