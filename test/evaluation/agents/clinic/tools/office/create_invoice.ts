import type { Handler } from "cairn-gitops/host-api";

interface Input {
  patient_id: string;
  items: { service: string; price: number; quantity: number }[];
  discount_percent: number;
  currency: string;
  payment: string;
  insurer?: string;
}

const createInvoice: Handler<Input> = async (input, ctx) => {
  if (input.payment === "insurance" && input.insurer === undefined) {
    throw ctx.fail("UNPROCESSABLE", "Which insurance pays?");
  }
  const sum = input.items.reduce((total, { price, quantity }) => total + price * quantity, 0);
  const step = Number(ctx.params["invoicing"]?.["round_to_cents"] ?? 1);
  const cents = Math.round((sum * (100 - input.discount_percent)) / step) * step;
  const amount = cents / 100;
  const invoice_id = `I-${input.patient_id}-${Math.floor(amount)}`;
  const status = ["card", "cash"].includes(input.payment) ? "paid" : "open";
  await ctx.state.set(["invoice", invoice_id], { ...input, amount, status });
  return { invoice_id, total: { amount, currency: input.currency }, status };
};

export default createInvoice;
