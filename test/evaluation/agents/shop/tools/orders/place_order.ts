import type { Handler } from "cairn-gitops/host-api";
import { PRODUCTS } from "../_lib/products.ts";

interface Input {
  items: { sku: string; quantity: number }[];
  coupon?: string;
}

const COUPONS: Readonly<Record<string, number>> = { WELCOME10: 0.1 };
const SHIPPING = 6.9;

const placeOrder: Handler<Input> = async (input, ctx) => {
  const lines = input.items.map(({ sku, quantity }) => {
    const product = PRODUCTS.find((one) => one.sku === sku);
    if (product === undefined) throw ctx.fail("NOT_FOUND", `There is no article ${sku}.`);
    return { product, quantity };
  });
  const discount = input.coupon === undefined ? 0 : COUPONS[input.coupon];
  if (discount === undefined) throw ctx.fail("UNPROCESSABLE", `There is no coupon ${input.coupon}.`);
  const goods = lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0) * (1 - discount);
  const { free_shipping_from: free = 50, upsell_count: count = 2 } = ctx.params["checkout"] ?? {};
  const amount = Math.round((goods < Number(free) ? goods + SHIPPING : goods) * 100) / 100;
  const order_id = `LL-${String(Math.floor(ctx.random() * 1_000_000)).padStart(6, "0")}`;
  const status = lines.every(({ product, quantity }) => product.stock >= quantity) ? "accepted" : "backordered";
  await ctx.state.set(["order", order_id], { ...input, status, amount });
  const others = PRODUCTS.filter(({ sku }) => !lines.some(({ product }) => product.sku === sku));
  const suggestions = others.slice(0, Number(count)).map(({ name }) => name);
  return { order_id, status, total: { amount, currency: "EUR" }, suggestions };
};

export default placeOrder;
