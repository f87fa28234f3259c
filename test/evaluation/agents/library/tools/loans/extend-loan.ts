import type { Handler } from "cairn-gitops/host-api";

interface Input {
  card: string;
  barcode: string;
  weeks: number;
}

const extendLoan: Handler<Input> = async (input, ctx) => {
  const lent = await ctx.state.get<{
    card: string;
    days: number;
    renewals: number;
  }>(["lent", input.barcode]);
  if (lent === undefined || lent.card !== input.card) throw ctx.fail("NOT_FOUND", "This card has not borrowed it.");
  const left = Number(ctx.params["house-rules"]?.["maxRenewals"] ?? 3) - lent.renewals;
  if (left <= 0) return { extended: false, addedDays: 0, renewalsLeft: 0 };
  const addedDays = input.weeks * 7;
  await ctx.state.set(["lent", input.barcode], {
    ...lent,
    days: lent.days + addedDays,
    renewals: lent.renewals + 1,
  });
  return { extended: true, addedDays, renewalsLeft: left - 1 };
};

export default extendLoan;
