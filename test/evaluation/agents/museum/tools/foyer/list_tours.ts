import type { Handler } from "cairn-gitops/host-api";
import { TOURS } from "../_lib/museum.ts";

interface Input {
  theme?: string;
  audience: string;
  language: string;
  step_free: boolean;
  max_price?: number;
  show_full: boolean;
  limit: number;
}

const listTours: Handler<Input> = (input, ctx) => {
  const { lead_with = "soonest", spare_places = 2, boost_new = 0.2 } = ctx.params["tour_order"] ?? {};
  const found = TOURS.filter(
    (one) =>
      (input.theme === undefined || one.theme === input.theme) &&
      (input.audience === "anyone" || one.audiences.includes(input.audience)) &&
      one.languages.includes(input.language) &&
      (one.step_free || !input.step_free) &&
      one.price <= (input.max_price ?? Number.POSITIVE_INFINITY) &&
      (input.show_full || one.places > Number(spare_places)),
  ).map((one) => {
    const hours = Number(one.starts.slice(0, 2)) / 24;
    const size = one.places / 30;
    const rank = lead_with === "soonest" ? hours : lead_with === "busiest" ? -size : size;
    return { one, rank: rank - (one.new ? Number(boost_new) : 0) };
  });
  found.sort((a, b) => a.rank - b.rank);
  return {
    tours: found.slice(0, input.limit).map(({ one: { tour_id, name, starts, places, price } }) => ({
      tour_id,
      name,
      starts,
      places_left: Math.max(0, places - Number(spare_places)),
      price,
    })),
  };
};

export default listTours;
