import type { Handler } from "cairn-gitops/host-api";
import { SLOTS } from "../_lib/field.ts";

interface Input {
  strip?: string;
  earliest?: string;
  aircraft_class?: string;
  max_fee?: number;
  lit_only: boolean;
  count: number;
}

const findSlots: Handler<Input> = (input, ctx) => {
  const { lead = "earliest", kept_slots = 1, grass_bonus = 0.2 } = ctx.params["slot_order"] ?? {};
  const suits = SLOTS.filter(
    (one) =>
      (input.strip === undefined || one.strip === input.strip) &&
      (input.earliest === undefined || one.starts >= input.earliest) &&
      (input.aircraft_class === undefined || !one.closed_to.includes(input.aircraft_class)) &&
      one.fee <= (input.max_fee ?? Number.POSITIVE_INFINITY) &&
      (one.lit || !input.lit_only),
  );
  const rank = (one: (typeof SLOTS)[number]): number => {
    const base =
      lead === "cheapest"
        ? one.fee / 40
        : lead === "quietest"
          ? one.traffic / 15
          : Number.parseInt(one.starts, 10) / 24;
    return base - (one.strip === "grass" ? Number(grass_bonus) : 0);
  };
  // One slot is always offered, however many the desk keeps.
  const kept = Math.min(Number(kept_slots), Math.max(0, suits.length - 1));
  const slots = suits
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, suits.length - kept)
    .slice(0, input.count)
    .map(({ slot_no, strip, fee, starts }) => ({ slot_no, strip, fee, starts }));
  return { slots, total: suits.length };
};

export default findSlots;
