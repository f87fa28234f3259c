import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();

describe("genesis_ledger.history", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "genesis_ledger.history"));

  test("[X5] tells everything that moved, page by page, and what concerns one principal", async () => {
    const ada = artifacts.maker();
    await ada.output("ledger_issue", { to: "ada", amount: 10 });
    for (const [to, amount] of [
      ["bob", 1],
      ["eve", 2],
      ["bob", 3],
    ] as const) {
      await ada.output("genesis_ledger.transfer", { to, amount });
    }
    const told = async (input: object) => {
      const { entries, next } = await ada.output("genesis_ledger.history", input);
      return [(entries as { number: number }[]).map(({ number }) => number), next];
    };
    expect(await told({})).toEqual([[0, 1, 2, 3], undefined]);
    expect(await told({ limit: 3 })).toEqual([[0, 1, 2], 3]);
    expect(await told({ from: 3 })).toEqual([[3], undefined]);
    expect(await told({ principal_id: "eve" })).toEqual([[2], undefined]);
    expect((await ada.output("genesis_ledger.history", { from: 1, limit: 1 }))["entries"]).toEqual([
      {
        number: 1,
        at: expect.stringMatching(/Z$/),
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        kind: "transfer",
        from: "ada",
        to: "bob",
        amount: 1,
        balances: { from: 9, to: 1 },
      },
    ]);
  });
});
