import type { Handler } from "cairn-gitops/host-api";

interface Input {
  malt: string;
  sacks: number;
  speed: string;
  gate: string;
}

const orderMalt: Handler<Input> = async (input, ctx) => {
  const query = `malt=${input.malt}&sacks=${input.sacks}&speed=${input.speed}&gate=${input.gate}`;
  const reply = await ctx.fetch(`https://orders.kilnfield.example/v2/orders?${query}`, { method: "POST" });
  if (reply.status === 404) throw ctx.fail("NOT_FOUND", `Kilnfield has no ${input.malt}.`);
  if (!reply.ok) throw ctx.fail("UPSTREAM_ERROR", "Kilnfield takes no orders.");
  const { order, euros, days } = reply.json<{ order: string; euros: number; days: number }>();
  return { order_no: order, euros, days };
};

export default orderMalt;
