import type { Handler } from "cairn-gitops/host-api";
import { VOID_CARDS, digits } from "../_lib/stock.ts";

const issueLoan: Handler<{
  card: string;
  barcodes: string[];
  days: number;
}> = async (input, ctx) => {
  if (VOID_CARDS.includes(input.card)) throw ctx.fail("NOT_FOUND", `The card ${input.card} is void.`);
  const free = [];
  for (const barcode of input.barcodes) {
    if ((await ctx.state.get(["lent", barcode])) === undefined) free.push(barcode);
  }
  const loan = `LN-${digits(input.card)}-${input.barcodes[0]}`;
  for (const barcode of free) await ctx.state.set(["lent", barcode], { ...input, loan, renewals: 0 });
  return { loan, lent: free.length, dueInDays: input.days };
};

export default issueLoan;
