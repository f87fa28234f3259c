import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("artifact_delete", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_delete"));

  test("takes an artifact away with its state, and keeps its name for its owner", async () => {
    const ada = artifacts.maker();
    const bob = ada.colleague("bob");
    const code =
      "export default async function () { const n = (await this.state.get(['n'])) ?? 0; await this.state.set(['n'], n + 1); return n }";
    const uses = ["state.read", "state.write"];
    await ada.create("counter", code, { uses });
    expect([await ada.invoke("counter"), await ada.invoke("counter")]).toEqual([0, 1]);
    expect(await bob.error("artifact_delete", { name: "counter" })).toMatchObject({ name: "FORBIDDEN" });
    expect(await ada.output("artifact_delete", { name: "counter" })).toEqual({
      artifact_id: "counter",
      name: "counter",
      revision: 1,
    });
    expect(await ada.error("artifact_invoke", { name: "counter" })).toMatchObject({ name: "NOT_FOUND" });
    expect(await ada.error("artifact_delete", { name: "counter" })).toMatchObject({ name: "NOT_FOUND" });
    expect(await bob.error("artifact_create", { name: "counter", code })).toMatchObject({ name: "CONFLICT" });
    expect(await ada.create("counter", code, { uses })).toMatchObject({ revision: 2 });
    expect(await ada.invoke("counter")).toBe(0);
    expect(await ada.error("artifact_get", { name: "counter", revision: 1 })).toMatchObject({ name: "NOT_FOUND" });
  });
});
