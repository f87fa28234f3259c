import type { Handler } from "cairn-gitops/host-api";
import { ampsOf, BERTHS } from "../_lib/harbour.ts";

interface Input {
  length_m: number;
  draught_m?: number;
  nights: number;
  pontoon?: string;
  shore_power: string;
  max_fee?: number;
  multihull: boolean;
  page_size: number;
}

const findFree: Handler<Input> = (input, ctx) => {
  const { favour = "snug", spare_berths = 1, long_stay_bonus = 0.3 } = ctx.params["berth_order"] ?? {};
  const suits = BERTHS.filter(
    (one) =>
      one.length_m >= input.length_m &&
      one.depth_m > (input.draught_m ?? 0) &&
      one.free_weeks * 7 >= input.nights &&
      (input.pontoon === undefined || one.pontoon === input.pontoon) &&
      one.amps >= ampsOf(input.shore_power) &&
      one.fee <= (input.max_fee ?? Number.POSITIVE_INFINITY) &&
      (one.wide || !input.multihull),
  );
  const rank = (one: (typeof BERTHS)[number]): number => {
    const base = favour === "snug" ? one.length_m / 24 : favour === "quiet" ? -one.steps / 300 : one.steps / 300;
    return base - (one.free_weeks > 2 ? Number(long_stay_bonus) : 0);
  };
  const offered = suits
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, Math.max(0, suits.length - Number(spare_berths)));
  return {
    berths: offered
      .slice(0, input.page_size)
      .map(({ berth_no, pontoon, fee, depth_m }) => ({ berth_no, pontoon, fee, depth_m })),
    free: suits.length,
  };
};

export default findFree;
