import type { Handler } from "cairn-gitops/host-api";

const cancelOrder: Handler<{ order_id: string; reason: string }> = async ({ order_id, reason }, ctx) => {
  const order = await ctx.state.get<{ status: string }>(["order", order_id]);
  if (order === undefined) throw ctx.fail("NOT_FOUND", `There is no order ${order_id}.`);
  const cancelled = ["accepted", "backordered"].includes(order.status);
  if (cancelled) await ctx.state.set(["order", order_id], { ...order, status: "cancelled", reason });
  return { cancelled };
};

export default cancelOrder;
