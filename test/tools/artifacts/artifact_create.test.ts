import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("artifact_create", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_create"));

  test("[X1] makes an artifact with an interface, and one without", async () => {
    const ada = artifacts.maker();
    expect(await ada.create("calculator", CALCULATE, { interface: CALCULATOR })).toEqual({
      artifact_id: "calculator",
      name: "calculator",
      owner: "ada",
      revision: 1,
      has_interface: true,
      price: 0,
    });
    expect(await ada.create("plain", "export default () => 1")).toMatchObject({ has_interface: false });
  });

  test("takes TypeScript", async () => {
    const ada = artifacts.maker();
    const code = "interface Point { x: number } export default (...points: Point[]): number => points[0]!.x";
    await ada.create("typed", code, { language: "typescript" });
    expect(await ada.invoke("typed", [{ x: 7 }])).toBe(7);
    expect(await ada.output("artifact_get", { name: "typed" })).toMatchObject({ code, language: "typescript" });
  });

  const schema = { type: "object" };
  test.for<[string, unknown, string]>([
    ["nothing at all", {}, "interface"],
    ["no schema", { description: "x" }, "inputSchema"],
    ["no description", { inputSchema: schema }, "description"],
    ["input that is no object", { description: "x", inputSchema: { type: "string" } }, "type"],
    ["an unknown member", { description: "x", inputSchema: schema, inputSchemas: schema }, "inputSchemas"],
    ["no methods", { methods: {} }, "methods"],
    ["a method without schema", { methods: { a: { description: "x" } } }, "inputSchema"],
    ["a method with a name that is none", { methods: { "a b": { description: "x", inputSchema: schema } } }, "a b"],
    [
      "both",
      { description: "x", inputSchema: schema, methods: { a: { description: "x", inputSchema: schema } } },
      "methods",
    ],
    ["a schema that is none", { description: "x", inputSchema: { ...schema, required: "a" } }, "required"],
    ["a keyword that is none", { description: "x", inputSchema: { ...schema, requierd: [] } }, "requierd"],
    [
      "a schema of elsewhere",
      { description: "x", inputSchema: { ...schema, $ref: "https://a/b" } },
      "outside this schema",
    ],
    [
      "a pattern that backtracks",
      { description: "x", inputSchema: { ...schema, properties: { a: { pattern: "(?=a)" } } } },
      "pattern",
    ],
    [
      "an output schema that is none",
      { description: "x", inputSchema: schema, outputSchema: { type: 1 } },
      "interface.outputSchema",
    ],
    [
      "headers",
      { description: "x", inputSchema: { ...schema, properties: { a: { type: "string", "x-mcp-header": "A" } } } },
      "x-mcp-header",
    ],
  ])("[X2] refuses an interface with %s", async ([, one, told]) => {
    const ada = artifacts.maker();
    const error = await ada.error("artifact_create", { name: "a", code: "export default 1", interface: one });
    expect(error).toMatchObject({ name: "BAD_REQUEST", message: expect.stringContaining(told) });
    expect((await ada.output("genesis_store.list", {}))["artifacts"]).toHaveLength(2);
  });

  test.for<[string, object, string]>([
    ["a name of the version's", { name: "genesis_ledger" }, "`genesis_`"],
    ["a name of a tool", { name: "artifact_invoke" }, "`artifact_`"],
    ["a name with a dot", { name: "a.b" }, "name"],
    ["a name that every object has", { name: "__proto__" }, "name"],
    ["a name in capitals", { name: "A" }, "name"],
    ["code without end", { code: " ".repeat(65_537) }, "code"],
    ["code that imports", { code: `import "node:fs"; export default 1` }, "only relative paths"],
    ["code that imports what runs beside it", { code: `import "./run.js"; export default 1` }, "there is no module"],
    ["code that throws", { code: "throw new Error('at once')" }, "at once"],
    ["a use that there is not", { uses: ["fetch"] }, "uses"],
    ["a price below nothing", { price: -1 }, "price"],
    ["half a price", { price: 0.5 }, "price"],
    ["a permission that there is not", { permissions: { admin: ["*"] } }, "admin"],
  ])("refuses %s", async ([, changes, told]) => {
    const ada = artifacts.maker();
    const error = await ada.error("artifact_create", { name: "a", code: "export default 1", ...changes });
    expect(error).toMatchObject({ name: "BAD_REQUEST", message: expect.stringContaining(told) });
  });

  test("takes no name that is taken, by whomever and however hidden", async () => {
    const ada = artifacts.maker();
    await ada.create("mine", "export default 1", { permissions: { read: [], invoke: [] } });
    for (const who of [ada, ada.colleague("bob")]) {
      expect(await who.error("artifact_create", { name: "mine", code: "export default 2" })).toMatchObject({
        name: "CONFLICT",
        message: "The name `mine` is taken.",
      });
    }
  });
});
