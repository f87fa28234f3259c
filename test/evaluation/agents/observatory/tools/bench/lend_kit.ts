import type { Handler } from "cairn-gitops/host-api";

const lendKit: Handler<{ item: string; days: number }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["loan", input.item]);
  const loan_no = `L-${input.item}-${earlier.length + 1}`;
  await ctx.state.set(["loan", input.item, loan_no], input);
  return { loan_no, back_in_days: input.days };
};

export default lendKit;
