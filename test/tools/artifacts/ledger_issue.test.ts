import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("ledger_issue", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "ledger_issue"));

  test("gives what the treasury has, and no more", async () => {
    const ada = artifacts.maker();
    expect(await ada.output("ledger_issue", { to: "bob", amount: 999_999_999_999 })).toMatchObject({ treasury: 1 });
    expect(await ada.error("ledger_issue", { to: "bob", amount: 2 })).toMatchObject({
      name: "CONFLICT",
      message: "The treasury has 1, which is less than 2.",
    });
    expect(await ada.output("ledger_issue", { to: "bob", amount: 1 })).toMatchObject({ balance: 1e12, treasury: 0 });
  });

  test("is no method that an artifact could invoke", async () => {
    const ada = artifacts.maker();
    for (const name of ["ledger_issue", "genesis_ledger.issue"]) {
      expect(await ada.error("artifact_invoke", { name, arguments: { to: "ada", amount: 1 } })).toMatchObject({
        name: "NOT_FOUND",
      });
    }
  });
});
