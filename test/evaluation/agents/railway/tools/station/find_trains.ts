import type { Handler } from "cairn-gitops/host-api";
import { type Train, TRAINS } from "../_lib/line.ts";

interface Input {
  origin: string;
  destination?: string;
  after?: string;
  max_changes: number;
  max_fare?: number;
  step_free: boolean;
  bicycles: number;
  page_size: number;
}

const findTrains: Handler<Input> = (input, ctx) => {
  const { lead = "fastest", held_trains = 1, crowd_malus = 0.2 } = ctx.params["train_order"] ?? {};
  const rank = (one: Train): number => {
    const base = lead === "cheapest" ? one.fare / 20 : lead === "direct" ? one.changes / 4 : one.minutes / 120;
    return base + one.crowd * Number(crowd_malus);
  };
  const suits = TRAINS.filter(
    (one) =>
      one.origin === input.origin &&
      (input.destination === undefined || one.destination === input.destination) &&
      one.departs >= (input.after ?? "00:00") &&
      one.changes <= input.max_changes &&
      one.fare <= (input.max_fare ?? Number.POSITIVE_INFINITY) &&
      (one.level || !input.step_free) &&
      one.racks >= input.bicycles,
  ).toSorted((a, b) => rank(a) - rank(b));
  // One train is always left, however many are held.
  const held = Math.min(Number(held_trains), Math.max(0, suits.length - 1));
  const trains = suits
    .slice(0, suits.length - held)
    .slice(0, input.page_size)
    .map(({ train_no, departs, arrives, changes, fare }) => ({ train_no, departs, arrives, changes, fare }));
  return { trains, found: suits.length };
};

export default findTrains;
