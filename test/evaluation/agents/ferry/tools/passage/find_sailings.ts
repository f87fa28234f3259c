import type { Handler } from "cairn-gitops/host-api";
import { SAILINGS } from "../_lib/fleet.ts";

interface Input {
  from: string;
  to?: string;
  not_before?: string;
  vehicle: string;
  max_minutes?: number;
  step_free: boolean;
  direct: boolean;
  limit: number;
}

const findSailings: Handler<Input> = (input, ctx) => {
  const { lead = "soonest", held_spaces = 2, change_penalty = 0.3 } = ctx.params["sailing_order"] ?? {};
  const suits = SAILINGS.filter(
    (one) =>
      one.from === input.from &&
      (input.to === undefined || one.to === input.to) &&
      (input.not_before === undefined || one.departs >= input.not_before) &&
      (input.vehicle === "none" || one.spaces > Number(held_spaces)) &&
      one.minutes <= (input.max_minutes ?? Number.POSITIVE_INFINITY) &&
      (one.lift || !input.step_free) &&
      (one.direct || !input.direct),
  );
  const rank = (one: (typeof SAILINGS)[number]): number => {
    const base =
      lead === "quickest"
        ? one.minutes / 240
        : lead === "emptiest"
          ? 1 - one.spaces / 50
          : Number.parseInt(one.departs, 10) / 24;
    return base + (one.direct ? 0 : Number(change_penalty));
  };
  const sailings = suits
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, input.limit)
    .map(({ sailing_no, ship, departs, minutes }) => ({ sailing_no, ship, departs, minutes }));
  return { sailings, total: suits.length };
};

export default findSailings;
