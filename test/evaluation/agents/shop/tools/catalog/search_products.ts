import type { Handler } from "cairn-gitops/host-api";
import { PRODUCTS, type Product } from "../_lib/products.ts";

interface Input {
  query: string;
  category?: string;
  sort: string;
  max_price?: number;
  in_stock: boolean;
  page_size: number;
  page: number;
}

const ORDERS: Readonly<Record<string, (a: Product, b: Product) => number>> = {
  price_asc: (a, b) => a.price - b.price,
  price_desc: (a, b) => b.price - a.price,
  newest: (a, b) => b.since.localeCompare(a.since),
};

const searchProducts: Handler<Input> = (input, ctx) => {
  const words = input.query.toLowerCase().split(/\s+/u);
  const hits = PRODUCTS.filter(
    (product) =>
      words.every((word) => `${product.name} ${product.category}`.toLowerCase().includes(word)) &&
      (input.category === undefined || product.category === input.category) &&
      (input.max_price === undefined || product.price <= input.max_price) &&
      (!input.in_stock || product.stock > 0),
  ).sort(ORDERS[input.sort] ?? byRelevance(String(ctx.params["ranking"]?.["lead"])));
  const start = (input.page - 1) * input.page_size;
  return {
    products: hits
      .slice(start, start + input.page_size)
      .map(({ sku, name, price, badge }) => ({ sku, name, price, ...(badge === undefined ? {} : { badge }) })),
    total: hits.length,
  };
};

function byRelevance(lead: string): (a: Product, b: Product) => number {
  if (lead === "margin") return (a, b) => b.margin - a.margin;
  if (lead === "fresh") return (a, b) => b.since.localeCompare(a.since);
  return (a, b) => b.stock - a.stock;
}

export default searchProducts;
