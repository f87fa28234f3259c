import type { Handler } from "cairn-gitops/host-api";
import { PRODUCTS, RATES } from "../_lib/products.ts";

const getProduct: Handler<{ sku: string; currency: string }> = ({ sku, currency }, ctx) => {
  const product = PRODUCTS.find((one) => one.sku === sku);
  if (product === undefined) throw ctx.fail("NOT_FOUND", `There is no article ${sku}.`);
  const rate = RATES[currency];
  if (rate === undefined) throw ctx.fail("UNPROCESSABLE", `There is no rate for ${currency} today.`);
  const [width, height, depth] = product.size;
  return {
    sku,
    name: product.name,
    price: { amount: Math.round(product.price * rate * 100) / 100, currency },
    stock: product.stock,
    material: product.material,
    dimensions: { width, height, depth },
  };
};

export default getProduct;
