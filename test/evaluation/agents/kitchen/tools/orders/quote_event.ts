import type { Handler } from "cairn-gitops/host-api";

interface Input {
  guests: number;
  service: string;
  waiters: number;
  hours: number;
  distance_km: number;
  weekend: boolean;
}

const HEAD: Readonly<Record<string, number>> = { buffet: 24, plated: 36, drop_off: 15 };
const STEP: Readonly<Record<string, number>> = { cent: 0.01, half_euro: 0.5, euro: 1 };

const quoteEvent: Handler<Input> = (input, ctx) => {
  const {
    waiter_wage = 24,
    weekend_extra = 0.3,
    km_rate = 0.6,
    quote_days = 14,
    round_to = "cent",
  } = ctx.params["price_book"] ?? {};
  const food = (HEAD[input.service] ?? 24) * input.guests;
  const people = input.waiters * input.hours * Number(waiter_wage);
  const sum =
    (food + people) * (input.weekend ? 1 + Number(weekend_extra) : 1) + 2 * input.distance_km * Number(km_rate);
  const step = STEP[String(round_to)] ?? 0.01;
  const total = Math.round(Math.round(sum / step) * step * 100) / 100;
  return { total, per_head: Math.round((total / input.guests) * 100) / 100, quote_days: Number(quote_days) };
};

export default quoteEvent;
