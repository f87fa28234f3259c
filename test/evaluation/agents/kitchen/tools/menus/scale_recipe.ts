import type { Handler } from "cairn-gitops/host-api";
import { DISHES } from "../_lib/stove.ts";

interface Input {
  dish_no: string;
  portions: number;
  size: string;
  trim_loss: number;
  whole_grams: boolean;
}

const PLATE: Readonly<Record<string, number>> = { child: 0.6, normal: 1, hearty: 1.3 };

const scaleRecipe: Handler<Input> = (input, ctx) => {
  const dish = DISHES.find(({ dish_no }) => dish_no === input.dish_no);
  if (dish === undefined) throw ctx.fail("NOT_FOUND", `There is no dish ${input.dish_no}.`);
  const raw = (dish.grams * input.portions * (PLATE[input.size] ?? 1) * 100) / (100 - input.trim_loss);
  const grams = input.whole_grams ? Math.round(raw) : raw;
  return { grams, pots: Math.max(1, Math.ceil(grams / 10_000)) };
};

export default scaleRecipe;
