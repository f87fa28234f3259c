import type { Handler } from "cairn-gitops/host-api";
import { type Dish, DISHES } from "../_lib/stove.ts";

interface Input {
  course: string;
  diet: string;
  free_of?: string[];
  season?: string;
  max_cost?: number;
  max_minutes?: number;
  served_hot: boolean;
  limit: number;
}

const RANK: Readonly<Record<string, (one: Dish) => number>> = {
  popular: (one) => one.liked,
  margin: (one) => 1 - one.cost / 20,
  fresh: (one) => 1 - one.minutes / 240,
};

const findDishes: Handler<Input> = (input, ctx) => {
  const { top = "popular", hidden_dishes = 1, season_lift = 0.3 } = ctx.params["dish_ranking"] ?? {};
  const suits = DISHES.filter(
    (one) =>
      one.course === input.course &&
      (input.diet === "any" || one.diets.includes(input.diet)) &&
      !(input.free_of ?? []).some((what) => one.contains.includes(what)) &&
      (input.season === undefined || one.season === input.season) &&
      one.cost <= (input.max_cost ?? Number.POSITIVE_INFINITY) &&
      one.minutes <= (input.max_minutes ?? Number.POSITIVE_INFINITY) &&
      (one.hot || !input.served_hot),
  );
  const rank = (one: Dish): number =>
    (RANK[String(top)]?.(one) ?? 0) + (one.season === input.season ? Number(season_lift) : 0);
  // One dish is always named, however many are kept back.
  const kept = Math.min(Number(hidden_dishes), Math.max(0, suits.length - 1));
  const dishes = suits
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, Math.min(input.limit, suits.length - kept))
    .map(({ dish_no, name, cost, minutes }) => ({ dish_no, name, cost, minutes }));
  return { dishes, found: suits.length };
};

export default findDishes;
