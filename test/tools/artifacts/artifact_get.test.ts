import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("what says which artifact is meant", () => {
  test("is the same in every tool: an id that one gives is an id that all others take", async () => {
    const ada = artifacts.maker();
    const made = await ada.output("artifact_create", { artifact_id: "adder", code: "export default (a, b) => a + b;" });
    expect(made["artifact_id"]).toBe("adder");
    const [listed] = ((await ada.output("genesis_store.search", { query: "adder" }))["artifacts"] ?? []) as object[];
    const { artifact_id } = (listed ?? made) as { artifact_id: string };
    expect(await ada.output("genesis_store.get_interface", { artifact_id })).toMatchObject({ artifact_id });
    expect(await ada.output("artifact_get", { artifact_id })).toMatchObject({ artifact_id, name: "adder" });
    expect(await ada.output("artifact_invoke", { artifact_id, arguments: [1, 2] })).toMatchObject({
      artifact_id,
      result: 3,
    });
    expect(await ada.output("artifact_update", { artifact_id, price: 1 })).toMatchObject({ artifact_id, revision: 2 });
    expect(await ada.error("artifact_promote", { artifact_id })).toMatchObject({ name: "UNPROCESSABLE" });
    expect(await ada.output("artifact_delete", { artifact_id })).toMatchObject({ artifact_id, name: "adder" });
  });

  test.each(["artifact_get", "artifact_update", "artifact_delete", "artifact_promote", "artifact_invoke"])(
    "is asked for by %s, which takes no two",
    async (tool) => {
      const ada = artifacts.maker();
      const refused = (message: string) => ({ name: "BAD_REQUEST", message });
      expect(await ada.error(tool, {})).toMatchObject(refused("`artifact_id` must say which artifact is meant."));
      expect(await ada.error(tool, { artifact_id: "a", name: "b" })).toMatchObject(
        refused("`artifact_id` and `name` are two artifacts."),
      );
      expect(await ada.error(tool, { artifact_id: "a", name: "a" })).toMatchObject({ name: "NOT_FOUND" });
    },
  );
});

describe("artifact_get", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_get"));

  test("tells all of an artifact", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR, uses: ["clock"], price: 3 });
    expect(await ada.output("artifact_get", { name: "calculator" })).toEqual({
      artifact_id: "calculator",
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
