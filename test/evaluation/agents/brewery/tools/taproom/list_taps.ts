import type { Handler } from "cairn-gitops/host-api";
import { BEERS } from "../_lib/cellar.ts";

interface Input {
  style?: string;
  max_abv?: number;
  max_price?: number;
  glass: string;
  gluten_free: boolean;
  sort: string;
  page_size: number;
}

const listTaps: Handler<Input> = (input) => ({
  beers: BEERS.map((one) => ({ ...one, price: input.glass === "large" ? Math.round(one.price * 16) / 10 : one.price }))
    .filter(
      (one) =>
        (input.style === undefined || one.style === input.style) &&
        one.abv <= (input.max_abv ?? 99) &&
        one.price <= (input.max_price ?? 99) &&
        (one.gluten_free || !input.gluten_free),
    )
    .toSorted((a, b) =>
      input.sort === "price" ? a.price - b.price : input.sort === "strength" ? a.abv - b.abv : a.tap - b.tap,
    )
    .slice(0, input.page_size)
    .map(({ tap, name, abv, price }) => ({ tap, name, abv, price })),
});

export default listTaps;
