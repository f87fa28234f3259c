import type { Handler } from "cairn-gitops/host-api";
import { DISHES } from "../_lib/school.ts";

interface Input {
  diet: string;
  max_price?: number;
  allergens: boolean;
}

const lunchMenu: Handler<Input> = (input) => ({
  dishes: DISHES.filter(
    ({ diets, price }) =>
      (input.diet === "any" || diets.includes(input.diet)) && price <= (input.max_price ?? Number.POSITIVE_INFINITY),
  ).map(({ dish, price, allergens }) => (input.allergens ? { dish, price, allergens } : { dish, price })),
});

export default lunchMenu;
