import type { Handler } from "cairn-gitops/host-api";

interface Input {
  hours: number;
  urgency: string;
  materials?: readonly { euros: number }[];
  discount_pct: number;
}

const STEPS: Readonly<Record<string, number>> = { exact: 0.01, euro: 1, five_euros: 5 };

const quoteJob: Handler<Input> = (input, ctx) => {
  const { hourly_rate = 64, express_factor = 1.5, quote_days = 14, rounding = "exact" } = ctx.params["workshop"] ?? {};
  const rate = Number(hourly_rate) * (input.urgency === "express" ? Number(express_factor) : 1);
  const work = (input.hours * rate * (100 - input.discount_pct)) / 100;
  const sum = (input.materials ?? []).reduce((all, { euros }) => all + euros, work);
  const step = STEPS[String(rounding)] ?? 0.01;
  return { sum: Math.round(Math.round(sum / step) * step * 100) / 100, holds_days: Number(quote_days) };
};

export default quoteJob;
