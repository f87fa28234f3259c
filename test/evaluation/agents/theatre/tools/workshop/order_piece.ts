import type { Handler } from "cairn-gitops/host-api";

const orderPiece: Handler<{ production: string }> = async (input, ctx) => {
  const name = input.production.toLowerCase().replaceAll(" ", "-");
  const ahead = await ctx.state.scan(["order", name]);
  const order_no = `W-${name}-${ahead.length + 1}`;
  await ctx.state.set(["order", name, order_no], input);
  return { order_no, queue: ahead.length };
};

export default orderPiece;
