import type { Handler } from "cairn-gitops/host-api";

const EUROS: Readonly<Record<string, number>> = { full: 9, reduced: 5, free: 0 };

const holdTickets: Handler<{ count: number; category: string }> = async (input, ctx) => {
  const { hold_minutes = 30, latecomers = "admit" } = ctx.params["holds"] ?? {};
  const hold_id = `H-${String(100_000 + Math.floor(ctx.random() * 900_000))}`;
  await ctx.state.set(["hold", hold_id], { ...input, latecomers });
  return { hold_id, minutes: Number(hold_minutes), price: input.count * (EUROS[input.category] ?? 9) };
};

export default holdTickets;
