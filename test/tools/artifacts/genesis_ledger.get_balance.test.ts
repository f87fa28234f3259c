import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("genesis_ledger.get_balance", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "genesis_ledger.get_balance"));

  test("[X5] tells the same as a tool, as an artifact's method and to an artifact", async () => {
    const ada = artifacts.maker();
    await ada.output("ledger_issue", { to: "bob", amount: 7 });
    const expected = { principal_id: "bob", balance: 7 };
    const input = { principal_id: "bob" };
    expect(await ada.output("genesis_ledger.get_balance", input)).toEqual(expected);
    expect(await ada.invoke("genesis_ledger", input, { method: "get_balance" })).toEqual(expected);
    await ada.create(
      "asks",
      `export default function (input) { return this.invoke("genesis_ledger.get_balance", input) }`,
      { uses: ["invoke"] },
    );
    expect(await ada.invoke("asks", [input])).toEqual(expected);
  });
});
