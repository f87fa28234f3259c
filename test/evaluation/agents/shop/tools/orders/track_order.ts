import type { Handler } from "cairn-gitops/host-api";

const trackOrder: Handler<{ order_id: string; detail: string }> = async ({ order_id, detail }, ctx) => {
  const order = await ctx.state.get<{ status: string; events?: unknown[] }>(["order", order_id]);
  if (order === undefined) throw ctx.fail("NOT_FOUND", `There is no order ${order_id}.`);
  return { status: order.status, ...(detail === "brief" ? {} : { events: order.events ?? [] }) };
};

export default trackOrder;
