import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("genesis_store.search", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "genesis_store.search"));

  test("[X4] finds artifacts by what their interfaces say, and by what they would take", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR });
    const weather = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    await ada.create("sky", "export default 1", { interface: { description: "Forecasts rain", inputSchema: weather } });
    await ada.create("hidden", "export default 1", { interface: CALCULATOR, permissions: { read: [], invoke: [] } });
    const bob = ada.colleague("bob");
    const found = async (input: object) => {
      const { artifacts: all } = await bob.output("genesis_store.search", input);
      return (all as { artifact_id: string }[]).map(({ artifact_id }) => artifact_id);
    };
    expect(await found({ query: "arithmetic" })).toEqual(["calculator"]);
    expect(await found({ query: "operation" })).toEqual(["calculator"]);
    expect(await found({ query: "the city's rain" })).toEqual(["sky"]);
    expect(await found({ query: "transferring", limit: 1 })).toEqual(["genesis_ledger"]);
    expect(await found({ query: "unheard of" })).toEqual([]);
    expect(await found({ accepts: { operation: "add", a: 1, b: 2 } })).toEqual(expect.arrayContaining(["calculator"]));
    expect(await found({ accepts: { city: "Rome" }, query: "rain" })).toEqual(["sky"]);
    expect(await found({ accepts: { to: "x", amount: 1 }, query: "scrip" })).toEqual(["genesis_ledger"]);
    expect(await found({ accepts: { town: 1 }, query: "rain" })).toEqual([]);
  });
});
