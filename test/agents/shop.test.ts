import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { openRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";
import { startShop } from "../stand-ins/shop.ts";

const KEY = "shop-key-0123456789";
const DESCRIPTION = "Lists what the shop sells, two products a page.";
const LINE = '  ctx.log.info("an order is placed", { cart: json.cart });\n';

const documentOf = (edition: 1 | 2) => fileURLToPath(new URL(`shop/openapi-${edition}.yaml`, import.meta.url));

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(
    file,
    text.replace(from, () => to),
  );
}

/** Imports and releases take a while on a busy machine. */
const TIMEOUT = 180_000;

test(
  "a shop's API is imported, edited, served, and renewed by a breaking edition that keeps the edits and the old version",
  { timeout: TIMEOUT },
  async () => {
    const shop = await startShop(KEY);
    const folder = join(await temporaryFolder(), "agent");
    const repository = openRepository(folder);
    const run = async (code: number, ...argv: string[]) => {
      const done = await runIn(argv[0] === "init" ? join(folder, "..") : folder, argv);
      expect(done.code, done.printed).toBe(code);
      return done.printed;
    };
    const read = (path: string) => readFile(join(folder, path), "utf8");
    await run(0, "init", "agent");
    await repository.git("config", "user.name", "Ana");
    await repository.git("config", "user.email", "ana@example.com");
    await edit(join(folder, "versions.yaml"), "current: 0.1.0", "current: 1.0.0");
    await edit(join(folder, "versions.yaml"), "versions:\n", "versions:\n  1.0.0:\n    changes: [The shop.]\n");

    const imported = await run(0, "import", "openapi", documentOf(1), "--name", "shop");
    expect(imported).toContain("shop: 7 of 7 operations of Shop are tools.");
    expect(imported).toContain("The service needs the secret SHOP.");
    await edit(
      join(folder, "manifests/shop/products_list.yaml"),
      "description: List products.",
      `description: ${DESCRIPTION}`,
    );
    await edit(
      join(folder, "tools/shop/orders_place.ts"),
      '\n  readJson(await send(ctx, "POST", "/orders", { json }));',
      ` {\n${LINE}  return readJson(await send(ctx, "POST", "/orders", { json }));\n};`,
    );
    expect(await run(0, "test")).toContain(", 0 failed, 0 skipped");
    await repository.commit({});
    await run(0, "release");

    const service = await startCairn(["serve", folder, "--data", await temporaryFolder()], {
      CAIRN_EGRESS_MAP: `api.shop.example=${shop.url}`,
      CAIRN_SECRETS: "SHOP=env:SHOP_KEY",
      SHOP_KEY: KEY,
      CAIRN_FETCH_INTERVAL: "1",
    });
    const call = async (version: string, tool: string, input: object = {}) => {
      const response = await fetch(`${service.url}/agent/${version}/api/tools/shop.${tool}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };

    /** What callers of the first edition have, before and after the second. */
    const checkFirst = async () => {
      const page = await call("1.0.0", "products_list");
      expect(page).toMatchObject({ status: 200, body: { data: [{ sku: "LAMP-1", price: 4900 }, { sku: "LAMP-2" }] } });
      const last = await call("1.0.0", "products_list", { cursor: page.body["next"] });
      expect(last).toMatchObject({ status: 200, body: { data: [{ sku: "RUG-1" }], next_cursor: null } });
      expect(last.body).not.toHaveProperty("next");
      expect(shop.requests.slice(-2)).toEqual(["GET /v1/products", "GET /v1/products?cursor=Mg%3D%3D"]);
      expect(await call("1.0.0", "products_get", { sku: "SOFA-1" })).toMatchObject({
        status: 404,
        body: { name: "NOT_FOUND", detail: expect.stringContaining("There is no product `SOFA-1`.") },
      });
      const { body: cart } = await call("1.0.0", "carts_create");
      const item = { cart: cart["id"], sku: "LAMP-1" };
      expect(await call("1.0.0", "carts_add_item", { ...item, quantity: 9 })).toMatchObject({
        status: 409,
        body: { name: "CONFLICT", detail: expect.stringContaining("There are 3 of it.") },
      });
      expect(await call("1.0.0", "orders_place", { cart: cart["id"] })).toMatchObject({ status: 409 });
      expect(await call("1.0.0", "carts_add_item", { ...item, quantity: 2 })).toMatchObject({ body: { total: 9800 } });
      expect(await call("1.0.0", "orders_place", { cart: cart["id"], note: "Ring." })).toMatchObject({
        status: 200,
        body: { total: 9800, status: "open" },
      });
      const before = shop.requests.length;
      for (const sku of ["..", ".", ""]) {
        expect(await call("1.0.0", "products_get", { sku })).toMatchObject({
          status: 400,
          body: {
            name: "BAD_REQUEST",
            detail: expect.stringContaining(`\`/products/${sku || "{}"}\` cannot be asked for`),
          },
        });
      }
      expect(shop.requests).toHaveLength(before);
      const { body: other } = await call("1.0.0", "carts_create");
      expect(await call("1.0.0", "carts_delete", { cart: other["id"] })).toMatchObject({ body: { status: 204 } });
    };
    await checkFirst();
    const first = await connectMcp(`${service.url}/agent/1.0.0/shop`);
    const listed = (await first.listTools()).tools.find(({ name }) => name === "shop.products_list");
    expect(listed?.description).toBe(DESCRIPTION);

    const renewed = await run(0, "import", "openapi", documentOf(2), "--name", "shop", "--operations", "orders/get");
    expect(renewed).toContain("1 file merged with your edits:\n    manifests/shop/products_list.yaml\n");
    expect(renewed).toContain("1 file kept as you have them:\n    tools/shop/orders_place.ts\n");
    expect(renewed).toMatch(/3 files removed.*\n {4}manifests\/shop\/carts_delete\.yaml/);
    expect(await read("tools/shop/orders_place.ts")).toContain(LINE);
    expect(await read("manifests/shop/products_list.yaml")).toMatch(new RegExp(`${DESCRIPTION}[^]*currency`));
    expect(await run(0, "test")).toContain(", 0 failed, 0 skipped");

    const difference = await run(1, "diff", "v1.0.0", "--check");
    for (const line of [
      /major: The tool `shop\.carts_delete` is not there any more/,
      /major: Input of `shop\.orders_place`: `country` must be there now/,
      /major: Output of `shop\.products_get`: `price` can be of a type that it could not be of/,
      /minor: The tool `shop\.orders_get` is new/,
    ])
      expect(difference).toMatch(line);
    await repository.commit({});
    expect(await run(1, "release")).toContain("`v1.0.0` is served already");
    await run(0, "bump");
    await repository.commit({});
    await run(0, "release");
    expect(await read("versions.yaml")).toMatch(/^current: 2\.0\.0$/m);
    expect(await read("manifests/shop/products_list.yaml")).toMatch(/^version: 2\.0\.0$/m);
    expect(await read("manifests/shop/carts_create.yaml")).toMatch(/^version: 1\.0\.1$/m);

    await eventually(async () => {
      expect(await call("2.0.0", "products_get", { sku: "RUG-1" })).toMatchObject({
        status: 200,
        body: { price: { amount: 12_000, currency: "EUR" } },
      });
    });
    expect(shop.requests.at(-1)).toBe("GET /v2/products/RUG-1");
    const { body: cart } = await call("2.0.0", "carts_create");
    await call("2.0.0", "carts_add_item", { cart: cart["id"], sku: "RUG-1", quantity: 1 });
    expect(await call("2.0.0", "orders_place", { cart: cart["id"] })).toMatchObject({ status: 400 });
    const { body: order } = await call("2.0.0", "orders_place", { cart: cart["id"], country: "DE" });
    expect(await call("2.0.0", "orders_get", { order: order["id"] })).toMatchObject({ body: { total: 12_000 } });
    expect(await call("2.0.0", "carts_delete", { cart: "cart-1" })).toMatchObject({ status: 404 });
    await checkFirst();
  },
);
