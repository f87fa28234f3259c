import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { CALCULATE, CALCULATOR, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("genesis_store.list", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "genesis_store.list"));

  test("[X4] tells what there is by name, page by page, genesis artifacts among the others", async () => {
    const ada = artifacts.maker();
    for (const name of ["zeta", "alpha", "gamma"]) await ada.create(name, "export default 1");
    await ada.create("hidden", "export default 1", { permissions: { read: [], invoke: [] } });
    const bob = ada.colleague("bob");
    const found: unknown[] = [];
    let after: object = {};
    do {
      const { artifacts: page, next } = await bob.output("genesis_store.list", { limit: 2, ...after });
      found.push(...(page as { artifact_id: string }[]).map(({ artifact_id }) => artifact_id));
      after = next === undefined ? {} : { after: next };
    } while ("after" in after);
    expect(found).toEqual(["alpha", "gamma", "genesis_ledger", "genesis_store", "zeta"]);
  });

  test("tells of each what a caller needs to choose", async () => {
    const ada = artifacts.maker();
    await ada.create("calculator", CALCULATE, { interface: CALCULATOR, price: 2 });
    const { artifacts: listed } = await ada.colleague("bob").output("genesis_store.list", {});
    expect(listed).toEqual([
      {
        artifact_id: "calculator",
        owner: "ada",
        revision: 1,
        description: "Performs arithmetic",
        has_interface: true,
        price: 2,
        may: { read: true, write: false, invoke: true },
      },
      expect.objectContaining({ artifact_id: "genesis_ledger", methods: ["get_balance", "transfer", "history"] }),
      expect.objectContaining({ artifact_id: "genesis_store", owner: "genesis" }),
    ]);
  });
});
