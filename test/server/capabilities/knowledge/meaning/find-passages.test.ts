import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTextIndex } from "../../../../../server/capabilities/knowledge/create-text-index.ts";
import { findPassages } from "../../../../../server/capabilities/knowledge/meaning/find-passages.ts";
import { openEmbedder } from "../../../../../server/capabilities/knowledge/meaning/open-embedder.ts";
import { createMeaningIndex } from "../../../../../server/capabilities/knowledge/meaning/open-meaning.ts";
import { createRedactor } from "../../../../../server/log/redact.ts";
import type { Store } from "../../../../../server/store/store.ts";
import { openTestStore } from "../../../../helpers/store.ts";
import { createShared } from "../../../../helpers/temporary.ts";
import { type EmbeddingsStandIn, startEmbeddings } from "../../../../stand-ins/embeddings.ts";

const { atEnd, undoAll } = createShared();
afterAll(undoAll);
let model: EmbeddingsStandIn;
beforeAll(async () => {
  model = await startEmbeddings();
  atEnd(model.close);
});
beforeEach(() => {
  model.answer(undefined);
  model.texts.length = 0;
});

const FILES = {
  "docs/delivery.md": "# Delivery\n\nParcels ship within a day.\n",
  "docs/money.md": "# Money\n\nThe price is in euros; hunter2-hunter2 is nobody's business.\n",
  "tools/quote.ts": "export const quote = () => 'cheap and cost';\n",
};

async function open(store: Store, files: Readonly<Record<string, string>> = FILES, name = "vectors-1") {
  const config = { url: model.url, name: "chat", embeddings: name, key: { value: "secret" } };
  const embedder = openEmbedder(config, fetch);
  if (embedder === undefined) throw new Error("There is a model.");
  const index = await createTextIndex({ texts: new Map(Object.entries(files)), skipped: [] });
  const errors: unknown[] = [];
  const redactor = createRedactor(["hunter2-hunter2"]);
  const meaning = createMeaningIndex(index, { embedder, store, redactor, onError: (error) => errors.push(error) });
  const find = (query: string, more = {}) => findPassages(index, meaning, query, { limit: 2, ...more });
  return { index, find, errors };
}

const pathsOf = ({ passages }: Awaited<ReturnType<typeof findPassages>>) => passages.map(({ path }) => path);

describe("search by meaning", () => {
  test("finds what no word of the query names, and what its words name", async () => {
    const { find, index } = await open(await openTestStore());
    const found = await find("expensive money opinion");
    expect(found).toMatchObject({ by: "words and meaning" });
    expect(pathsOf(found)).toEqual(["docs/money.md", "tools/quote.ts"]);
    expect(found.passages.map(({ terms }) => terms)).toEqual([["money"], []]);
    // By words alone the second is not there.
    expect(index.search("expensive money opinion", { limit: 2 }).map(({ path }) => path)).toEqual(["docs/money.md"]);
    expect(pathsOf(await find("shipping", { under: "tools" }))).toEqual(["tools/quote.ts"]);
    expect(model.authorizations.at(-1)).toBe("Bearer secret");
  });

  test("sends each text once, in whichever commit it is, and no credential", async () => {
    const store = await openTestStore();
    await (await open(store)).find("money");
    expect(model.texts.join("\n")).not.toContain("hunter2");
    expect(model.texts).toHaveLength(4);
    model.texts.length = 0;
    const later = { ...FILES, "docs/delivery.md": "# Delivery\n\nIt may rain.\n" };
    expect(pathsOf(await (await open(store, later)).find("weather"))[0]).toBe("docs/delivery.md");
    // The changed text, and the query.
    expect(model.texts).toEqual(["docs/delivery.md\n# Delivery\n\nIt may rain.", "weather"]);
    model.texts.length = 0;
    await (await open(store, FILES, "vectors-2")).find("money");
    expect(model.texts).toHaveLength(4);
  });

  test.each([
    ["refuses", { status: 500 }, "answered the request for vectors with 500"],
    ["answers something else", { body: '{"data":[{"embedding":"no"}]}' }, "answered with no vectors"],
    ["answers no JSON", { body: "<html>" }, "cannot be reached, or answers no JSON"],
  ])("is left out, and says so, where the model %s; later it counts again", async (_, instead, message) => {
    const { find, errors } = await open(await openTestStore());
    model.answer(instead);
    const found = await find("delivery");
    expect(found).toMatchObject({ by: "words", note: expect.stringContaining(message) });
    expect(pathsOf(found)).toEqual(["docs/delivery.md"]);
    expect(errors).toHaveLength(1);
    model.answer(undefined);
    expect(await find("delivery")).toMatchObject({ by: "words and meaning" });
  });

  test("says plainly that no model is configured", async () => {
    const { index } = await open(await openTestStore());
    expect(openEmbedder({ url: model.url, name: "chat" }, fetch)).toBeUndefined();
    expect(await findPassages(index, undefined, "money", { limit: 1 })).toMatchObject({
      by: "words",
      note: expect.stringContaining("CAIRN_MODEL_EMBEDDINGS"),
    });
  });
});
