import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("artifact_promote", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_promote"));

  test("answers the files of a proposal, with an example where none is given", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR });
    const { name, revision, files } = await ada.output("artifact_promote", { name: "calculator" });
    expect([name, revision]).toEqual(["calculator", 1]);
    expect((files as { path: string }[]).map(({ path }) => path)).toEqual([
      "tools/_lib/promoted/calculator.ts",
      "manifests/artifacts/calculator.yaml",
      "tools/artifacts/calculator.ts",
      "test/tools/artifacts/calculator.test.ts",
    ]);
    expect(JSON.stringify(files)).toContain('operation: \\"add\\"');
  });

  test.for<[string, object, string]>([
    ["no interface", { code: "export default 1" }, "has no interface, and a tool needs one"],
    ["a price", { interface: CALCULATOR, price: 1 }, "has a price, which tools have not"],
    ["few who may invoke it", { interface: CALCULATOR, permissions: { invoke: ["bob"] } }, "is not for everybody"],
    ["others that it invokes", { interface: CALCULATOR, uses: ["invoke"] }, "invokes artifacts"],
    [
      "code that is read differently",
      { interface: CALCULATOR, code: "const f = 1, a = 1, b = 1; export default () => [f<a, a>(b)]" },
      "means something else",
    ],
  ])("refuses an artifact with %s", async ([, changes, told]) => {
    const ada = artifacts.maker();
    await ada.output("artifact_create", { name: "thing", code: CALCULATE, ...changes });
    expect(await ada.error("artifact_promote", { name: "thing" })).toMatchObject({
      name: "UNPROCESSABLE",
      message: expect.stringContaining(told),
    });
  });

  test("shows code to those alone who may read it", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR, permissions: { read: [] } });
    expect(await ada.colleague("bob").error("artifact_promote", { name: "calculator" })).toMatchObject({
      name: "FORBIDDEN",
    });
  });
});
