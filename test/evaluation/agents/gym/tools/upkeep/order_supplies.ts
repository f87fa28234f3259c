import type { Handler } from "cairn-gitops/host-api";

interface Input {
  article_no: string;
  quantity: number;
  speed: string;
  drop_at: string;
}

const orderSupplies: Handler<Input> = async ({ article_no, quantity, speed, drop_at }, ctx) => {
  const query = `article=${article_no}&quantity=${quantity}&speed=${speed}&at=${drop_at}`;
  const reply = await ctx.fetch(`https://shop.towelworks.example/orders?${query}`, { method: "POST" });
  if (reply.status === 404) throw ctx.fail("NOT_FOUND", `Towelworks has no article ${article_no}.`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Towelworks takes no orders.");
  const { order, euros, days } = reply.json<{ order: string; euros: number; days: number }>();
  return { order_no: order, euros, days };
};

export default orderSupplies;
