import type { Handler } from "cairn-gitops/host-api";

interface Input {
  goods_no: string;
  quantity: number;
  delivery: string;
  dock: string;
}

const orderGoods: Handler<Input> = async (input, ctx) => {
  const query = `id=${input.goods_no}&packs=${input.quantity}&when=${input.delivery}&dock=${input.dock}`;
  const reply = await ctx.fetch(`https://api.marktwagen.example/v1/purchases?${query}`, { method: "POST" });
  if (reply.status === 404) throw ctx.fail("NOT_FOUND", `Marktwagen does not have ${input.goods_no}.`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Marktwagen takes no orders.");
  const { purchase, euros } = reply.json<{ purchase: string; euros: number }>();
  return { purchase_no: purchase, euros };
};

export default orderGoods;
