import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";
import { startMockApi } from "../../../stand-ins/openapi-mock.ts";
import { runIn } from "../run-in.ts";

const DOCUMENT = resolve("test/fixtures/openapi/shop.yaml");
const SHOP = ["import", "openapi", "shop.yaml", "--name", "shop"];

/** Members of a product that a caller may send, with the header of the path. */
const CREATED = ["x_trace", "price", "color", "note", "made", "secret", "parts", "name"];

const shared = createShared();
let imported = "";
let first: Awaited<ReturnType<typeof runIn>>;

beforeAll(async () => {
  imported = await createRepository(shared.atEnd);
  first = await runIn(imported, [...SHOP, "--all"]);
});
afterAll(shared.undoAll);

async function createRepository(atEnd?: typeof shared.atEnd): Promise<string> {
  const folder = await temporaryFolder(atEnd);
  await mkdir(join(folder, "manifests"));
  await writeFile(
    join(folder, "versions.yaml"),
    "current: 0.1.0\nversions: { 0.1.0: { changes: [First version.] } }\n",
  );
  await writeFile(join(folder, "manifests/agent.yaml"), "name: shopper\ndescription: Buys.\nhostApi: 1.0.0\n");
  await cp(DOCUMENT, join(folder, "shop.yaml"));
  return folder;
}

/** A copy of the repository after its first import. */
async function copyImported(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(imported, folder, { recursive: true });
  return folder;
}

const read = (folder: string, path: string) => readFile(join(folder, path), "utf8");

async function edit(folder: string, path: string, change: (text: string) => string): Promise<void> {
  const text = await read(folder, path);
  const changed = change(text);
  if (changed === text) throw new Error(`nothing changed in ${path}`);
  await writeFile(join(folder, path), changed);
}

describe("cairn import openapi", () => {
  test("makes tools of all operations but those that it refuses by name, each with the reason", () => {
    expect(first.printed).toContain("shop: 6 of 8 operations of Shop are tools.");
    expect(first.printed).toContain("not imported: a body of `multipart/form-data`\n    PUT /products/{id}\n");
    expect(first.printed).toContain("not imported: an answer of `application/pdf`\n    GET /orders/export");
    expect(first.code).toBe(0);
  });

  test("writes short handlers as a person would", async () => {
    expect(await read(imported, "tools/shop/get_product.ts")).toBe(
      `import type { Handler } from "cairn-gitops/host-api";
import { path, readJson, send } from "../_lib/shop-api.ts";
import type { GetProductInput } from "./_types.d.ts";

/** Sends \`GET /products/{id}\`. */
const getProduct: Handler<GetProductInput> = async ({ id }, ctx) =>
  readJson(await send(ctx, "GET", path\`/products/\${id}\`));

export default getProduct;
`,
    );
    expect(await read(imported, "tools/shop/products_list.ts")).toContain(
      `const productsList: Handler<ProductsListInput> = async ({ x_trace, ids, filter, price_min, ...query }, ctx) => {
  const reply = await send(ctx, "GET", "/products", {
    query: { ...query, ids: joined(ids), ...brackets(filter, "filter"), "price[min]": price_min },
    headers: { "X-Trace": x_trace },
  });
  const items = readJson(reply);
  return { items, next: toNumber(nextInLink(reply, "page")) };
};`,
    );
    expect(await read(imported, "tools/shop/notes_get.ts")).toContain("async ({ path: path_ }, ctx) =>");
    expect(await read(imported, "tools/_lib/shop-api.ts")).toContain('const BASE_URL = "https://eu.shop.example/v2";');
  });

  test("writes manifests that say what the document says, in the terms of JSON Schema 2020-12", async () => {
    const list = parse(await read(imported, "manifests/shop/products_list.yaml"));
    expect(list).toMatchObject({
      name: "shop.products_list",
      title: "List products",
      description: "List products. Lists what the shop sells. See the guide.",
      sideEffect: false,
      uses: ["fetch"],
      egress: ["eu.shop.example"],
      input: {
        properties: {
          x_trace: { type: "string", description: "Follows a request." },
          page: { type: "integer", minimum: 1, description: "Default: `1`." },
          price_min: { type: "number", exclusiveMinimum: 0 },
        },
        additionalProperties: false,
      },
      output: {
        required: ["items"],
        properties: {
          items: {
            items: {
              properties: { note: { type: ["string", "null"] }, color: { description: "One of `red`, `green`." } },
            },
          },
          next: { type: "integer", description: "Pass it as `page` to get what follows; absent at the end." },
        },
      },
      examples: [{ description: "From the API's own document", matches: { required: ["items"] } }],
    });
    const create = parse(await read(imported, "manifests/shop/products_create.yaml"));
    expect(Object.keys(create.input.properties)).toEqual(CREATED);
    expect(create.input.required.toSorted()).toEqual(["name", "price"]);
    expect(create.input.properties).not.toHaveProperty("id");
    expect(create.output.properties).not.toHaveProperty("secret");
    expect(create).toMatchObject({ sideEffect: true });
    const order = parse(await read(imported, "manifests/shop/orders_create.yaml"));
    expect(order.description).toMatch(/^Deprecated by the API\./);
    expect(order.input.properties.product).toEqual({ type: "integer" });
    expect(parse(await read(imported, "manifests/shop/delete_products_by_id.yaml"))).toMatchObject({
      idempotent: true,
      sideEffect: true,
    });
  });

  test("its tools pass validation, types and their tests at once", async () => {
    expect(await runIn(imported, ["validate", "--no-number"])).toEqual({
      code: 0,
      printed: "shopper 0.1.0 is valid: 1 server, 6 tools.",
    });
    const tested = await runIn(imported, ["test"]);
    expect(tested.printed).toContain("pass: 6 passed, 0 failed, 0 skipped");
  });

  test("its tools answer when they ask an API made from the document", async () => {
    const folder = await copyImported();
    for (const stem of [
      "products_list",
      "products_create",
      "get_product",
      "delete_products_by_id",
      "orders_create",
      "notes_get",
    ]) {
      await rm(join(folder, `tools/shop/${stem}.recording.yaml`));
    }
    const api = await startMockApi(parse(await read(folder, "shop.yaml")));
    const tested = await runIn(folder, ["test", "--egress-map", `eu.shop.example=${api.url}`]);
    expect(tested.printed).toContain("pass: 6 passed, 0 failed, 0 skipped");
    expect(api.requests).toContain("POST /v2/orders product=1&address%5Bcity%5D=text");
  });

  test("a second import of the same document changes nothing", async () => {
    const folder = await copyImported();
    const lock = await read(folder, "imports/shop.lock.json");
    const again = await runIn(folder, ["import", "openapi", "--name", "shop"]);
    expect(again.printed).toMatch(/^shop: 6 of 8 operations of Shop are tools\.\n {2}20 files unchanged\.\n/);
    expect(await read(folder, "imports/shop.lock.json")).toBe(lock);
  });

  test("a change of the document reaches edited files, and the edits stay", async () => {
    const folder = await copyImported();
    const manifest = "manifests/shop/products_list.yaml";
    await edit(folder, manifest, (text) => text.replace("title: List products", "title: Our products"));
    await edit(folder, "tools/shop/get_product.ts", (text) => text.replace("/** Sends", "// Ours.\n/** Sends"));
    await rm(join(folder, "manifests/shop/notes_get.yaml"));
    await rm(join(folder, "tools/shop/notes_get.ts"));
    await rm(join(folder, "tools/shop/notes_get.recording.yaml"));
    await edit(folder, "shop.yaml", (text) =>
      text.replace("name: page, in: query,", "name: page, in: query, description: Counted from 1.,"),
    );
    const again = await runIn(folder, SHOP);
    expect(again.printed).toContain(`1 file merged with your edits:\n    ${manifest}\n`);
    expect(again.printed).toContain("1 file kept as you have them:\n    tools/shop/get_product.ts\n");
    expect(again.printed).toContain("left out, as you deleted them:\n    manifests/shop/notes_get.yaml\n");
    expect(again.code).toBe(0);
    const merged = await read(folder, manifest);
    expect(merged).toContain("title: Our products");
    expect(merged).toContain("Counted from 1.");
  });

  test("lines that both have changed are a conflict that is marked, and nothing is lost", async () => {
    const folder = await copyImported();
    const manifest = "manifests/shop/products_list.yaml";
    await edit(folder, manifest, (text) => text.replace("title: List products", "title: Our products"));
    await edit(folder, "shop.yaml", (text) => text.replace("summary: List products", "summary: All products"));
    const again = await runIn(folder, SHOP);
    expect(again.code).toBe(1);
    expect(again.printed).toContain(
      `1 file in conflict with your edits; look for \`<<<<<<<\` in them:\n    ${manifest}\n`,
    );
    expect(await read(folder, manifest)).toContain("<<<<<<< yours\ntitle: Our products\n");
    expect(again.printed).toContain(`${manifest}:4:1: A conflict is unresolved here.`);
    expect(again.printed).toContain("Mend that, and run `cairn import openapi --name shop`.");
  });

  test("an operation that the document no longer has goes, unless somebody has edited its files", async () => {
    const folder = await copyImported();
    await edit(folder, "tools/shop/notes_get.ts", (text) => `${text}// Ours.\n`);
    await edit(folder, "shop.yaml", (text) => text.replace(/ {2}\/notes[^]*?(?=components:)/, ""));
    const again = await runIn(folder, SHOP);
    expect(again.printed).toContain(
      "removed, as the document has no more of them:\n    manifests/shop/notes_get.yaml\n",
    );
    expect(again.printed).toContain("kept as you have them:\n    tools/shop/notes_get.ts\n");
  });

  test("takes the operations that patterns and tags name, and adds later ones to them", async () => {
    const folder = await createRepository();
    const some = await runIn(folder, [...SHOP, "--operations", "GET /products*", "--tags", "orders"]);
    expect(some.printed).toContain("shop: 3 of 8 operations of Shop are tools.");
    const more = await runIn(folder, [...SHOP, "--operations", "notes/*"]);
    expect(more.printed).toContain("shop: 4 of 8 operations of Shop are tools.");
    expect(some.printed).not.toContain("not imported (`--operations");
    expect(more.printed).toContain(
      "  not imported (`--operations <name>` brings one in): products_create, products_set_image, delete_products_by_id, orders_export",
    );
    const none = await runIn(folder, [...SHOP, "--operations", "product/list"]);
    expect(none).toEqual({ code: 2, printed: "cairn: No operation fits `product/list`; `--list` shows all." });
  });

  test("lists operations with their tools, and why some cannot be any", async () => {
    const folder = await createRepository();
    const { printed } = await runIn(folder, [...SHOP, "--list"]);
    expect(printed.split("\n")).toContain("  products_list          GET /products");
    expect(printed.split("\n")).toContain(
      "  orders_export          GET /orders/export  (no: has an answer of `application/pdf`)",
    );
    expect(execFileSync("ls", [folder]).toString()).not.toContain("imports");
  });

  test("asks a person which operations of a large document to take", async () => {
    const folder = await createRepository();
    const paths = Array.from({ length: 30 }, (_, index) => [
      `/p${index}`,
      { get: { operationId: `get${index}`, responses: { 204: {} } } },
    ]);
    const document = {
      openapi: "3.1.0",
      info: { title: "Large" },
      servers: [{ url: "https://large.example" }],
      paths: Object.fromEntries(paths),
    };
    await writeFile(join(folder, "large.json"), JSON.stringify(document));
    const argv = ["import", "openapi", "large.json"];
    const refused = await runIn(folder, argv);
    expect(refused.printed).toContain(
      "Large has 30 operations: choose some with `--operations` or `--tags`, or take `--all`",
    );
    const input = new PassThrough();
    input.end("nonsense\n1, 3-4 get29\n");
    const { printed } = await runIn(folder, argv, { isTerminal: true, input: () => input });
    expect(printed).toContain("large: 4 of 30 operations of Large are tools.");
  });

  test("names the secrets that operations need, for the hosts of the API", async () => {
    const folder = await createRepository();
    await edit(folder, "shop.yaml", (text) =>
      text.replace(
        "components:\n",
        "security: [{ key: [] }, { login: [] }]\ncomponents:\n  securitySchemes:\n    key: { type: apiKey, in: query, name: api_key }\n    login: { type: oauth2, flows: {} }\n",
      ),
    );
    await runIn(folder, [...SHOP, "--operations", "getProduct"]);
    expect(parse(await read(folder, "manifests/shop/get_product.yaml")).secrets).toEqual([
      { name: "SHOP", hosts: ["eu.shop.example"], query: "api_key" },
    ]);
    await edit(folder, "shop.yaml", (text) =>
      text.replace("operationId: notes/get", "operationId: notes/get\n      security: [{ login: [] }]"),
    );
    const both = await runIn(folder, [...SHOP, "--operations", "notes/get"]);
    expect(both.printed).toContain(
      "The service needs the secrets SHOP (parameter api_key, `key` of the document), SHOP_LOGIN (header Authorization, `login` of the document).",
    );
    expect(parse(await read(folder, "manifests/shop/get_product.yaml")).secrets).toMatchObject([{ name: "SHOP" }]);
    expect(parse(await read(folder, "manifests/shop/notes_get.yaml")).secrets).toMatchObject([{ name: "SHOP_LOGIN" }]);
    await runIn(folder, [...SHOP, "--auth", "bearer"]);
    expect(parse(await read(folder, "manifests/shop/get_product.yaml")).secrets).toEqual([
      { name: "SHOP", hosts: ["eu.shop.example"], header: "Authorization", format: "Bearer {}" },
    ]);
  });

  test.for([
    ["absent.yaml", "cairn: There is no file `absent.yaml`."],
    ["versions.yaml", "cairn: `versions.yaml` is no OpenAPI document: it has neither `openapi` nor `swagger`."],
  ])("says what is wrong with %s", async ([source = "", message]) => {
    expect((await runIn(imported, ["import", "openapi", source])).printed).toBe(message);
  });
});
