import type { Handler } from "cairn-gitops/host-api";

interface Input {
  purpose?: string;
  goods: { hs_code: string; value: number; quantity?: number; origin?: string }[];
}

/** Up to here nobody asks about a gift. */
const GIFT = 45;

const draftDeclaration: Handler<Input> = async (input, ctx) => {
  const total_value = input.goods.reduce((sum, { value, quantity = 1 }) => sum + value * quantity, 0);
  const warnings = [
    ...(input.purpose === "gift" && total_value > GIFT ? ["It is worth more than a gift may be."] : []),
    ...input.goods
      .filter(({ origin }) => origin === undefined)
      .map(({ hs_code }) => `Origin of ${hs_code} is not known.`),
  ];
  const declaration_id = `E-${String(Math.floor(ctx.random() * 1_000_000)).padStart(6, "0")}`;
  await ctx.state.set(["declaration", declaration_id], { ...input, total_value });
  return { declaration_id, total_value, warnings };
};

export default draftDeclaration;
