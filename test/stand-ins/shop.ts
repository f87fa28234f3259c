import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../helpers/temporary.ts";

/** The API of a small shop, in both editions that `test/agents/shop` describes, over one stock. Made by hand. */
export interface Shop {
  readonly url: string;
  /** `METHOD path` of each request, in their order. */
  readonly requests: readonly string[];
}

interface Cart {
  readonly id: string;
  readonly items: { readonly sku: string; quantity: number }[];
}

interface Asked {
  readonly edition: 1 | 2;
  readonly part: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = readonly [status: number, body?: unknown];

const PAGE = 2;

/** `key` is the one that the shop lets in, in the header `X-Api-Key`. */
export async function startShop(key: string, atEnd: AtEnd = onTestFinished): Promise<Shop> {
  const requests: string[] = [];
  const products = [
    { sku: "LAMP-1", name: "Desk lamp", category: "lamps", price: 4900, stock: 3 },
    { sku: "LAMP-2", name: "Floor lamp", category: "lamps", price: 8900, stock: 1 },
    { sku: "RUG-1", name: "Rug", category: "rugs", price: 12_000, stock: 5 },
  ];
  const carts = new Map<string, Cart>();
  const orders: { readonly id: string; readonly total: number; readonly status: string }[] = [];

  const totalOf = ({ items }: Cart) =>
    items.reduce((sum, { sku, quantity }) => sum + quantity * (products.find((one) => one.sku === sku)?.price ?? 0), 0);
  const showCart = (cart: Cart) => ({ ...cart, total: totalOf(cart) });
  const showProduct = (product: (typeof products)[number], edition: 1 | 2) =>
    edition === 1 ? product : { ...product, price: { amount: product.price, currency: "EUR" }, images: [] };

  const routes: readonly (readonly [string, RegExp, (asked: Asked) => Answer])[] = [
    [
      "GET",
      /^\/products$/,
      ({ query, edition }) => {
        const category = query.get("category");
        const found = products.filter((one) => category === null || one.category === category);
        return toPage(
          found.map((one) => showProduct(one, edition)),
          query,
        );
      },
    ],
    [
      "GET",
      /^\/products\/([^/]+)$/,
      ({ part, edition }) => {
        const product = products.find(({ sku }) => sku === part);
        return product === undefined ? notFound(`product \`${part}\``) : [200, showProduct(product, edition)];
      },
    ],
    [
      "POST",
      /^\/carts$/,
      () => {
        const cart = { id: `cart-${carts.size + 1}`, items: [] };
        carts.set(cart.id, cart);
        return [201, showCart(cart)];
      },
    ],
    [
      "POST",
      /^\/carts\/([^/]+)\/items$/,
      ({ part, body }) => {
        const cart = carts.get(part);
        const product = products.find(({ sku }) => sku === body["sku"]);
        if (cart === undefined) return notFound(`cart \`${part}\``);
        if (product === undefined) return notFound(`product \`${String(body["sku"])}\``);
        const quantity = Number(body["quantity"]);
        if (quantity > product.stock) return [409, problem("Out of stock", `There are ${product.stock} of it.`)];
        cart.items.push({ sku: product.sku, quantity });
        return [200, showCart(cart)];
      },
    ],
    [
      "DELETE",
      /^\/carts\/([^/]+)$/,
      ({ part, edition }) => (edition === 1 && carts.delete(part) ? [204] : notFound(`cart \`${part}\``)),
    ],
    ["GET", /^\/orders$/, ({ query }) => toPage(orders, query)],
    [
      "POST",
      /^\/orders$/,
      ({ body, edition }) => {
        const cart = carts.get(String(body["cart"]));
        if (edition === 2 && typeof body["country"] !== "string")
          return [422, problem("Invalid", "`country` is missing.")];
        if (cart === undefined) return notFound(`cart \`${String(body["cart"])}\``);
        if (cart.items.length === 0) return [409, problem("Empty", "The cart is empty.")];
        const order = { id: `order-${orders.length + 1}`, total: totalOf(cart), status: "open" };
        orders.push(order);
        carts.delete(cart.id);
        return [201, order];
      },
    ],
    [
      "GET",
      /^\/orders\/([^/]+)$/,
      ({ part, edition }) => {
        const order = edition === 2 ? orders.find(({ id }) => id === part) : undefined;
        return order === undefined ? notFound(`order \`${part}\``) : [200, order];
      },
    ],
  ];

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://shop.invalid");
    const text = await readText(request);
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const [, edition = "", path = ""] = /^\/v([12])(\/.*)$/.exec(url.pathname) ?? [];
    const found = routes.find(([method, pattern]) => method === request.method && pattern.test(path));
    const part = decodeURIComponent(found?.[1].exec(path)?.[1] ?? "");
    const body = text === "" ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
    const [status, value] =
      request.headers["x-api-key"] === key
        ? (found?.[2]({ edition: edition === "2" ? 2 : 1, part, query: url.searchParams, body }) ??
          notFound("operation"))
        : ([401, problem("Unknown key", "Send a key of yours as `X-Api-Key`.")] as const);
    const type = status < 400 ? "application/json" : "application/problem+json";
    response.writeHead(status, value === undefined ? {} : { "content-type": type });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function problem(title: string, detail: string) {
  return { title, detail };
}

function notFound(what: string): Answer {
  return [404, problem("Not found", `There is no ${what}.`)];
}

/** The cursor is opaque to those who ask: the place of the next item, in base64. */
function toPage(all: readonly unknown[], query: URLSearchParams): Answer {
  const from = Number(Buffer.from(query.get("cursor") ?? "", "base64").toString() || 0);
  const size = Number(query.get("limit") ?? PAGE);
  const end = from + size;
  const next = end < all.length ? Buffer.from(String(end)).toString("base64") : null;
  return [200, { data: all.slice(from, end), next_cursor: next }];
}
