import type { Handler } from "cairn-gitops/host-api";
import { type Performance, SEASON } from "../_lib/house.ts";

interface Input {
  from: string;
  to?: string;
  genre?: string;
  seats: number;
  tier?: string;
  max_price?: number;
  step_free: boolean;
  sort: string;
  page_size: number;
}

const OFFERS: Readonly<Record<string, (a: Performance, b: Performance) => number>> = {
  best_view: (a, b) => b.view - a.view,
  cheapest: (a, b) => a.price - b.price,
  soonest: (a, b) => a.day.localeCompare(b.day),
};

const findShows: Handler<Input> = (input, ctx) => {
  const { prefer = "best_view", house_seats = 4, late_discount = 0.1 } = ctx.params["seat_offer"] ?? {};
  const suits = SEASON.map((one) =>
    one.day <= input.from ? { ...one, price: Math.round(one.price * (1 - Number(late_discount))) } : one,
  ).filter(
    (one) =>
      one.day >= input.from &&
      one.day <= (input.to ?? "9999-12-31") &&
      (input.genre === undefined || one.genre === input.genre) &&
      one.seats_left - Number(house_seats) >= input.seats &&
      (input.tier === undefined || one.tier === input.tier) &&
      one.price <= (input.max_price ?? Number.POSITIVE_INFINITY) &&
      (one.step_free || !input.step_free),
  );
  const order = { offer: String(prefer), date: "soonest", price: "cheapest" }[input.sort] ?? "soonest";
  return {
    shows: suits
      .toSorted(OFFERS[order] ?? ((a, b) => b.view - a.view))
      .slice(0, input.page_size)
      .map(({ show_no, title, day, price, seats_left }) => ({ show_no, title, day, price, seats_left })),
    matching: suits.length,
  };
};

export default findShows;
