import type { Handler } from "cairn-gitops/host-api";
import { CLASSES, type Class } from "../_lib/mill.ts";

interface Input {
  discipline?: string;
  level: string;
  after?: string;
  trainer?: string;
  free_only: boolean;
  max_minutes?: number;
  count: number;
}

const listClasses: Handler<Input> = (input, ctx) => {
  const { lead = "soonest", hold_back = 1, novelty_boost = 0.2 } = ctx.params["class_order"] ?? {};
  const left = (one: Class): number => Math.max(0, one.capacity - one.taken - Number(hold_back));
  const suits = CLASSES.filter(
    (one) =>
      (input.discipline === undefined || one.discipline === input.discipline) &&
      (input.level === "any" || one.level === "any" || one.level === input.level) &&
      one.starts >= (input.after ?? "00:00") &&
      (input.trainer === undefined || one.trainer === input.trainer) &&
      (left(one) > 0 || !input.free_only) &&
      one.minutes <= (input.max_minutes ?? Number.POSITIVE_INFINITY),
  );
  const rank = (one: Class): number => {
    const base =
      lead === "emptiest"
        ? one.taken / one.capacity
        : lead === "favourite"
          ? 1 - one.liked
          : Number.parseInt(one.starts, 10) / 24;
    return base - (one.fresh ? Number(novelty_boost) : 0);
  };
  const classes = suits
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, input.count)
    .map((one) => ({
      class_no: one.class_no,
      discipline: one.discipline,
      starts: one.starts,
      minutes: one.minutes,
      spots_left: left(one),
    }));
  return { classes, total: suits.length };
};

export default listClasses;
