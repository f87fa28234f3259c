import type { Handler } from "cairn-gitops/host-api";
import { WALKS } from "../_lib/grounds.ts";

interface Input {
  from: string;
  theme?: string;
  language: string;
  pace?: string;
  step_free: boolean;
  max_price?: number;
  page_size: number;
}

const listWalks: Handler<Input> = (input, ctx) => {
  const { first = "soonest", held_places = 2, shade_bonus = 0.2 } = ctx.params["walk_order"] ?? {};
  const rank = (one: (typeof WALKS)[number]): number => {
    const day = Number.parseInt(one.date.slice(5).replace("-", ""), 10) / 1231;
    const base = first === "cheapest" ? one.price / 40 : first === "emptiest" ? 1 - one.places / 20 : day;
    return base - (one.shady ? Number(shade_bonus) : 0);
  };
  const walks = WALKS.filter(
    (one) =>
      one.date >= input.from &&
      (input.theme === undefined || one.theme === input.theme) &&
      one.language === input.language &&
      (input.pace === undefined || one.pace === input.pace) &&
      (one.step_free || !input.step_free) &&
      one.price <= (input.max_price ?? Number.POSITIVE_INFINITY),
  )
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, input.page_size)
    .map(({ walk_no, theme, price, places }) => ({
      walk_no,
      theme,
      price,
      places_left: Math.max(0, places - Number(held_places)),
    }));
  return { walks };
};

export default listWalks;
