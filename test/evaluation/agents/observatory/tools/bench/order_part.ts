import type { Handler } from "cairn-gitops/host-api";

interface Input {
  part_no: string;
  quantity: number;
  speed: string;
  deliver_to: string;
}

const orderPart: Handler<Input> = async (input, ctx) => {
  const query = `part=${input.part_no}&quantity=${input.quantity}&speed=${input.speed}&to=${input.deliver_to}`;
  const reply = await ctx.fetch(`https://shop.brassworks.example/orders?${query}`, { method: "POST" });
  if (reply.status === 404) throw ctx.fail("NOT_FOUND", `Brassworks has no part ${input.part_no}.`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Brassworks takes no orders.");
  const { order, euros, days } = reply.json<{ order: string; euros: number; days: number }>();
  return { order_no: order, euros, days };
};

export default orderPart;
