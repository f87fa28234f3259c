import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("artifact_get", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_get"));

  test("tells all of an artifact", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR, uses: ["clock"], price: 3 });
    expect(await ada.output("artifact_get", { name: "calculator" })).toEqual({
      name: "calculator",
      owner: "ada",
      author: "ada",
      revision: 1,
      newest: 1,
      permissions: { read: ["*"], write: [], invoke: ["*"] },
      language: "javascript",
      code: CALCULATE,
      interface: CALCULATOR,
      uses: ["clock"],
      price: 3,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  test("knows no revision that was not written, and no genesis artifact's code", async () => {
    const ada = artifacts.maker();
    await ada.create("thing", "export default 1");
    expect(await ada.error("artifact_get", { name: "thing", revision: 2 })).toMatchObject({ name: "NOT_FOUND" });
    expect(await ada.error("artifact_get", { name: "genesis_store" })).toMatchObject({ name: "FORBIDDEN" });
  });
});
