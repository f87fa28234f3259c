import type { Handler } from "cairn-gitops/host-api";

/** Cents for a litre. */
const CENTS: Readonly<Record<string, number>> = { diesel: 175, petrol: 200 };

const sellFuel: Handler<{ fuel: string; litres: number; discount_pct: number }> = async (input, ctx) => {
  const sale_no = `B-${String(10_000 + Math.floor(ctx.random() * 90_000))}`;
  await ctx.state.set(["sale", sale_no], input);
  const cents = (CENTS[input.fuel] ?? 200) * input.litres * (100 - input.discount_pct);
  return { sale_no, owed: Math.round(cents / 100) / 100 };
};

export default sellFuel;
