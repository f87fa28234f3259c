import type { Handler } from "cairn-gitops/host-api";

interface Input {
  item_no: string;
  quantity: number;
  delivery: string;
}

const orderStock: Handler<Input> = async (input, ctx) => {
  const query = `item=${input.item_no}&quantity=${input.quantity}&delivery=${input.delivery}`;
  const reply = await ctx.fetch(`https://shop.seedhall.example/orders?${query}`, { method: "POST" });
  if (reply.status === 404) throw ctx.fail("NOT_FOUND", `Seedhall has no item ${input.item_no}.`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Seedhall takes no orders.");
  const { order, euros, days } = reply.json<{ order: string; euros: number; days: number }>();
  return { order_no: order, euros, days };
};

export default orderStock;
