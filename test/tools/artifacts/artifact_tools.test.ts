import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();
const strict = useArtifacts("on");

describe("artifact_tools", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_tools"));

  test("[X6] tells the artifacts with interfaces that the caller may invoke, as tools of MCP", async () => {
    const ada = artifacts.maker();
    const { description, inputSchema } = CALCULATOR;
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR });
    await ada.create("plain", "export default 1");
    const methods = { add: CALCULATOR, clear: { description: "Clears", inputSchema: { type: "object" } } };
    await ada.create("memory", "export const add = 1", { interface: { methods } });
    await ada.create("secret", "export default 1", { interface: CALCULATOR, permissions: { invoke: [] } });
    const shared = [
      { name: "calculator", description, inputSchema },
      { name: "memory.add", description, inputSchema },
      { name: "memory.clear", description: "Clears", inputSchema: { type: "object" } },
    ];
    expect(await ada.colleague("bob").output("artifact_tools", {})).toEqual({ tools: shared });
    const { tools } = await ada.output("artifact_tools", {});
    expect(tools).toEqual([...shared, { name: "secret", description, inputSchema }]);
  });

  test("tells what one costs, but not its owner, who pays nothing", async () => {
    const ada = artifacts.maker();
    await ada.create("dear", CALCULATE, { interface: CALCULATOR, price: 7 });
    const description = async (who: typeof ada) =>
      ((await who.output("artifact_tools", {}))["tools"] as { description: string }[])[0]?.description;
    expect(await description(ada)).toBe("Performs arithmetic");
    expect(await description(ada.colleague("bob"))).toBe("Performs arithmetic (Costs 7 scrip.)");
  });

  test("tells output schemas where results are checked", async () => {
    const ada = strict.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR });
    await ada.create("number", "export default () => 1", {
      interface: { ...CALCULATOR, outputSchema: { type: "number" } },
    });
    expect((await ada.output("artifact_tools", {}))["tools"]).toEqual([
      { name: "calculator", ...CALCULATOR },
      { name: "number", description: CALCULATOR.description, inputSchema: CALCULATOR.inputSchema },
    ]);
  });

  test("tells them page by page", async () => {
    const ada = artifacts.maker();
    const large = { description: "x".repeat(2_000), inputSchema: { type: "object", $comment: "x".repeat(60_000) } };
    const names = ["a", "b", "c", "d", "e", "f"];
    for (const name of names) await ada.create(name, "export default 1", { interface: large });
    const found: string[] = [];
    let after: object = {};
    let pages = 0;
    do {
      const { tools, next } = await ada.output("artifact_tools", after);
      found.push(...(tools as { name: string }[]).map(({ name }) => name));
      pages += 1;
      after = next === undefined ? {} : { after: next };
    } while ("after" in after);
    expect(found).toEqual(names);
    expect(pages).toBe(2);
  });
});
