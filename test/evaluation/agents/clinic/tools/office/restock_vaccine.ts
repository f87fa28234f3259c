import type { Handler } from "cairn-gitops/host-api";

interface Input {
  vaccine: string;
  doses: number;
  supplier: string;
  urgent: boolean;
}

const PRICES: Readonly<Record<string, number>> = { nordvet: 4.2, pharmapaw: 4.6, biofauna: 3.9 };

const restockVaccine: Handler<Input> = async (input, ctx) => {
  const price = Math.round((PRICES[input.supplier] ?? 5) * input.doses * (input.urgent ? 1.33 : 1) * 100) / 100;
  const order_id = `VO-${input.supplier}-${input.vaccine}-${input.doses}`;
  await ctx.state.set(["order", order_id], input);
  return { order_id, price, arrives_in_days: input.urgent ? 1 : 4 };
};

export default restockVaccine;
