import type { Handler } from "cairn-gitops/host-api";

interface Input {
  items: readonly { article: string; amount: number }[];
  customer: string;
  boxes: number;
}

/** Euros for a kilo or a bottle. */
const EUROS: Readonly<Record<string, number>> = { apples: 2, pears: 3, plums: 4, juice: 3, cider: 5, vinegar: 6 };
const OFF: Readonly<Record<string, number>> = { regular: 5, staff: 20 };
const STEPS: Readonly<Record<string, number>> = { cent: 0.01, ten_cents: 0.1, half_euro: 0.5 };

const priceBasket: Handler<Input> = ({ items, customer, boxes }, ctx) => {
  const { box_deposit = 2, bulk_from_kilos = 15, rounding = "cent" } = ctx.params["farm_rates"] ?? {};
  const sum = items.reduce((all, { article, amount }) => {
    const price = (EUROS[article] ?? 0) * (amount >= Number(bulk_from_kilos) ? 0.85 : 1);
    return all + price * amount;
  }, 0);
  const step = STEPS[String(rounding)] ?? 0.01;
  const owed = (sum * (100 - (OFF[customer] ?? 0))) / 100;
  return {
    total: Math.round(Math.round(owed / step) * step * 100) / 100,
    deposit: Math.round(boxes * Number(box_deposit) * 100) / 100,
  };
};

export default priceBasket;
