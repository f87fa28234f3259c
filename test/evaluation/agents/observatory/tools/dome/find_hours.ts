import type { Handler } from "cairn-gitops/host-api";
import { SLOTS } from "../_lib/hill.ts";

interface Input {
  telescope?: string;
  earliest?: string;
  moon: string;
  max_rate?: number;
  camera: boolean;
  limit: number;
}

const MOON: Readonly<Record<string, number>> = { any: 1, below_half: 0.5, dark: 0.1 };

const findHours: Handler<Input> = (input, ctx) => {
  const { lead = "darkest", reserve_slots = 1, weekday_bonus = 0.25 } = ctx.params["hour_order"] ?? {};
  const suits = SLOTS.filter(
    (one) =>
      (input.telescope === undefined || one.telescope === input.telescope) &&
      (input.earliest === undefined || one.starts >= input.earliest) &&
      one.moon <= (MOON[input.moon] ?? 1) &&
      one.rate <= (input.max_rate ?? Number.POSITIVE_INFINITY) &&
      (one.camera || !input.camera),
  );
  const rank = (one: (typeof SLOTS)[number]): number => {
    const base =
      lead === "cheapest" ? one.rate / 90 : lead === "soonest" ? Number.parseInt(one.starts, 10) / 24 : one.moon;
    return base - (one.quiet ? Number(weekday_bonus) : 0);
  };
  // One slot is always left, however many the staff keep.
  const kept = Math.min(Number(reserve_slots), Math.max(0, suits.length - 1));
  const slots = suits
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, suits.length - kept)
    .slice(0, input.limit)
    .map(({ slot_no, telescope, rate, starts }) => ({ slot_no, telescope, rate, starts }));
  return { slots, total: suits.length };
};

export default findHours;
