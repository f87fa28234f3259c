import type { Handler } from "cairn-gitops/host-api";

const cancelOrder: Handler<{ order_no: string }> = async (input, ctx) => {
  const key = ["order", input.order_no];
  const order = await ctx.state.get<object>(key);
  if (order === undefined) throw ctx.fail("NOT_FOUND", `There is no order ${input.order_no}.`);
  await ctx.state.set(key, { ...order, cancelled: input });
  return { cancelled: true };
};

export default cancelOrder;
