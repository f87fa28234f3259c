import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("artifact_update", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "artifact_update"));

  test("makes another revision, which keeps what is not told, and changes none", async () => {
    const ada = artifacts.maker();
    await ada.create("thing", "export default () => 1", { price: 5, uses: ["clock"] });
    const first = await ada.output("artifact_get", { name: "thing" });
    expect(await ada.output("artifact_update", { name: "thing", code: "export default () => 2" })).toMatchObject({
      revision: 2,
      price: 5,
    });
    expect(await ada.invoke("thing")).toBe(2);
    expect(await ada.output("artifact_get", { name: "thing" })).toMatchObject({
      revision: 2,
      uses: ["clock"],
      price: 5,
    });
    expect(await ada.output("artifact_get", { name: "thing", revision: 1 })).toEqual({ ...first, newest: 2 });
  });

  test("gives an artifact an interface, and takes it away", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE);
    const told = async () => (await ada.output("artifact_get", { name: "calculator" }))["interface"];
    await ada.output("artifact_update", { name: "calculator", interface: CALCULATOR });
    expect(await told()).toEqual(CALCULATOR);
    await ada.output("artifact_update", { name: "calculator", price: 1 });
    expect(await told()).toEqual(CALCULATOR);
    await ada.output("artifact_update", { name: "calculator", interface: null });
    expect(await told()).toBeNull();
  });

  test("changes nothing that somebody else has changed meanwhile", async () => {
    const ada = artifacts.maker();
    await ada.create("thing", "export default () => 1");
    await ada.output("artifact_update", { name: "thing", expected_revision: 1, price: 1 });
    expect(await ada.error("artifact_update", { name: "thing", expected_revision: 1, price: 2 })).toMatchObject({
      name: "CONFLICT",
      message: "The newest revision of `thing` is 2, not 1.",
    });
  });

  test("is for those who may write, who cannot change whose it is, for whom or for how much", async () => {
    const ada = artifacts.maker();
    const bob = ada.colleague("bob");
    await ada.create("thing", "export default () => 1", { permissions: { write: ["bob"] } });
    const code = "export default function () { return this.artifact.owner }";
    expect(await bob.output("artifact_update", { name: "thing", code })).toMatchObject({ owner: "ada", revision: 2 });
    expect(await bob.output("artifact_get", { name: "thing" })).toMatchObject({ author: "bob", owner: "ada" });
    expect(await bob.invoke("thing")).toBe("ada");
    for (const changes of [{ price: 1 }, { permissions: { write: ["*"] } }]) {
      expect(await bob.error("artifact_update", { name: "thing", ...changes })).toMatchObject({ name: "FORBIDDEN" });
    }
    expect(await ada.colleague("eve").error("artifact_update", { name: "thing", code })).toMatchObject({
      name: "FORBIDDEN",
    });
  });

  test("[X5] changes no genesis artifact", async () => {
    const ada = artifacts.maker();
    expect(await ada.error("artifact_update", { name: "genesis_ledger", code: "export default 1" })).toMatchObject({
      name: "FORBIDDEN",
    });
  });
});
