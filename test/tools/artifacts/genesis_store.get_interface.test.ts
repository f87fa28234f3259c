import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findGenesis, GENESIS_NAMES } from "../../../tools/_lib/artifacts/genesis.ts";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("genesis_store.get_interface", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "genesis_store.get_interface"));

  test("[X4] tells the interface of an artifact, and null for one without", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR });
    await ada.create("plain", "export default 1");
    const told = (name: string) => ada.output("genesis_store.get_interface", { artifact_id: name });
    expect(await told("calculator")).toEqual({ artifact_id: "calculator", interface: CALCULATOR });
    expect(await told("plain")).toEqual({ artifact_id: "plain", interface: null });
    expect(await ada.invoke("genesis_store", { artifact_id: "plain" }, { method: "get_interface" })).toEqual({
      artifact_id: "plain",
      interface: null,
    });
  });

  test("[X4] tells those of whom may see the artifact, and of nobody else", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR, permissions: { read: [], invoke: ["bob"] } });
    const told = { artifact_id: "calculator" };
    expect(await ada.colleague("bob").output("genesis_store.get_interface", told)).toMatchObject({
      interface: CALCULATOR,
    });
    expect(await ada.colleague("eve").error("genesis_store.get_interface", told)).toMatchObject({ name: "NOT_FOUND" });
  });

  test("[X5] every genesis artifact has an interface, which is what the manifests of its methods say", async () => {
    const ada = artifacts.maker();
    const told: string[] = [];
    for (const name of GENESIS_NAMES) {
      const { interface: spoken } = await ada.output("genesis_store.get_interface", { artifact_id: name });
      expect(spoken).toEqual(findGenesis(name));
      for (const [method, one] of Object.entries(findGenesis(name)?.methods ?? {})) {
        told.push(`${name}.${method}`);
        const { description, input, output } = artifacts.checkout.tool(`${name}.${method}`);
        expect({ description, inputSchema: input, outputSchema: output }).toEqual(one);
      }
    }
    const files = globSync("manifests/artifacts/genesis_*.yaml").map((file) => /([^/]+)\.yaml$/.exec(file)?.[1]);
    expect(files.sort()).toEqual(told.sort());
  });

  test("[X5] the ledger's is as it was specified", async () => {
    const { methods } = findGenesis("genesis_ledger") ?? { methods: {} };
    expect(methods["get_balance"]).toMatchObject({
      description: "Get scrip balance for a principal",
      inputSchema: { type: "object", properties: { principal_id: { type: "string" } }, required: ["principal_id"] },
    });
    expect(methods["transfer"]).toMatchObject({
      description: "Transfer scrip to another principal",
      inputSchema: {
        type: "object",
        properties: { to: { type: "string" }, amount: { type: "integer", minimum: 1 } },
        required: ["to", "amount"],
      },
    });
  });
});
