import type { Handler } from "cairn-gitops/host-api";
import { DISHES, compact, digits } from "../_lib/school.ts";

interface Input {
  pupil_id: string;
  date: string;
  dish: string;
  portions: number;
  takeaway: boolean;
}

const CENTS: Readonly<Record<string, number>> = { five_cents: 5, ten_cents: 10 };

const orderLunch: Handler<Input> = async (input, ctx) => {
  const meal = DISHES.find(({ dish }) => dish === input.dish);
  if (meal === undefined) throw ctx.fail("NOT_FOUND", `Nobody cooks ${input.dish}.`);
  const { takeaway_fee = 0.3, rounding = "none" } = ctx.params["canteen"] ?? {};
  const cents = (meal.price * input.portions + (input.takeaway ? Number(takeaway_fee) : 0)) * 100;
  const step = CENTS[String(rounding)] ?? 1;
  const price = (Math.round(cents / step) * step) / 100;
  const order_id = `L-${digits(input.pupil_id)}-${compact(input.date)}`;
  await ctx.state.set(["lunch", order_id], { ...input, price });
  return { order_id, price };
};

export default orderLunch;
