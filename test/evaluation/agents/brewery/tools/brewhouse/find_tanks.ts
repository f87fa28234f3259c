import type { Handler } from "cairn-gitops/host-api";
import { TANKS } from "../_lib/cellar.ts";

interface Input {
  litres: number;
  shape: string;
  max_celsius?: number;
  free_within_days: number;
  jacketed: boolean;
  limit: number;
}

const findTanks: Handler<Input> = (input, ctx) => {
  const { favour = "snug", held_back = 1, open_malus = 0.3 } = ctx.params["tank_order"] ?? {};
  const suits = TANKS.filter(
    (one) =>
      one.holds >= input.litres &&
      (input.shape === "any" || one.shape === input.shape) &&
      one.coldest <= (input.max_celsius ?? 99) &&
      one.free_in_days <= input.free_within_days &&
      (one.jacketed || !input.jacketed),
  );
  const rank = (one: (typeof TANKS)[number]): number => {
    const base =
      favour === "coldest" ? one.coldest / 20 : favour === "soonest" ? one.free_in_days / 10 : one.holds / 2500;
    return base + (one.shape === "open" ? Number(open_malus) : 0);
  };
  // One tank is always named, however many are kept free.
  const kept = Math.min(Number(held_back), Math.max(0, suits.length - 1));
  const tanks = suits
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, suits.length - kept)
    .slice(0, input.limit)
    .map(({ tank, holds, shape, free_in_days }) => ({ tank, holds, shape, free_in_days }));
  return { tanks, total: suits.length };
};

export default findTanks;
