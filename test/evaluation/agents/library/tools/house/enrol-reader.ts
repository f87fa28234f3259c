import type { Handler } from "cairn-gitops/host-api";

const enrolReader: Handler<{
  reader: { fullName: string };
  months: number;
}> = async (input, ctx) => {
  const card = `L-${3_000_000 + Math.floor(ctx.random() * 900_000)}`;
  await ctx.state.set(["reader", card], input);
  return { card };
};

export default enrolReader;
