import { array, assert, asyncProperty, constantFrom, integer, oneof, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { type Maker, useArtifacts } from "./use-artifacts.ts";

const artifacts = useArtifacts();
const NAMES = ["ada", "bob", "eve"];
const TOTAL = 1e12;

async function readBalances(maker: Maker): Promise<readonly number[]> {
  const of = (name: string) => maker.output("genesis_ledger.get_balance", { principal_id: name });
  return Promise.all(NAMES.map(async (name) => Number((await of(name))["balance"])));
}

describe("genesis_ledger.transfer", () => {
  test("keeps the promises of its examples", () => keepPromises(artifacts.checkout, "genesis_ledger.transfer"));

  test("[X5] moves whole amounts from the caller to somebody else", async () => {
    const ada = artifacts.maker();
    await ada.output("ledger_issue", { to: "ada", amount: 10 });
    expect(await ada.output("genesis_ledger.transfer", { to: "bob", amount: 4 })).toEqual({
      from: "ada",
      to: "bob",
      amount: 4,
      balance: 6,
    });
    expect(await readBalances(ada)).toEqual([6, 4, 0]);
  });

  test.for<[object, string]>([
    [{ to: "bob", amount: 11 }, "CONFLICT"],
    [{ to: "ada", amount: 1 }, "BAD_REQUEST"],
    [{ to: "bob", amount: 0 }, "BAD_REQUEST"],
    [{ to: "bob", amount: -1 }, "BAD_REQUEST"],
    [{ to: "bob", amount: 0.5 }, "BAD_REQUEST"],
    [{ to: "bob", amount: 1e300 }, "BAD_REQUEST"],
    [{ to: "bob", amount: "1" }, "BAD_REQUEST"],
    [{ to: "bob" }, "BAD_REQUEST"],
    [{ amount: 1 }, "BAD_REQUEST"],
  ])("[X5] refuses %j, as a tool and as a method", async ([input, name]) => {
    const ada = artifacts.maker();
    await ada.output("ledger_issue", { to: "ada", amount: 10 });
    expect(await ada.error("genesis_ledger.transfer", input)).toMatchObject({ name });
    const invoked = await ada.error("artifact_invoke", { name: "genesis_ledger.transfer", arguments: input });
    expect(invoked).toMatchObject({ name });
    expect(await readBalances(ada)).toEqual([10, 0, 0]);
  });

  test("[X5] keeps the total, and nobody below nothing, whoever transfers at once", async () => {
    const step = oneof(
      record({ from: constantFrom(...NAMES), to: constantFrom(...NAMES), amount: integer({ min: 1, max: 60 }) }),
      record({ from: constantFrom("treasury"), to: constantFrom(...NAMES), amount: integer({ min: 1, max: 100 }) }),
    );
    const law = asyncProperty(array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const ada = artifacts.maker();
      const done = await Promise.all(
        steps.map(async ({ from, to, amount }) => {
          const tool = from === "treasury" ? "ledger_issue" : "genesis_ledger.transfer";
          const { principal } = ada.colleague(from);
          return (await artifacts.checkout.call(tool, { to, amount }, principal)).ok ? { from, to, amount } : undefined;
        }),
      );
      const balances = await readBalances(ada);
      expect(Math.min(...balances)).toBeGreaterThanOrEqual(0);
      const moved = done.filter((one) => one !== undefined);
      const expected = NAMES.map((name) =>
        moved.reduce((sum, { from, to, amount }) => sum + (to === name ? amount : 0) - (from === name ? amount : 0), 0),
      );
      expect(balances).toEqual(expected);
      const { entries } = await ada.output("genesis_ledger.history", { limit: 500 });
      expect(entries).toHaveLength(moved.length);
      const { treasury } = await ada.output("ledger_issue", { to: "ada", amount: 1 });
      expect(Number(treasury) + 1 + balances.reduce((sum, one) => sum + one, 0)).toBe(TOTAL);
    });
    await assert(law, { numRuns: process.env["CAIRN_LONG"] ? 100 : 8 });
  });

  test("[X5] happens once for one idempotency key", async () => {
    const ada = artifacts.maker();
    await ada.output("ledger_issue", { to: "ada", amount: 10 });
    const twice = { to: "bob", amount: 3 };
    const once = () =>
      artifacts.checkout.call("genesis_ledger.transfer", twice, ada.principal, { idempotencyKey: "k" });
    const [first, second] = [await once(), await once()];
    expect(first).toMatchObject({ ok: true, output: { balance: 7 } });
    expect(second).toMatchObject({ ok: true, output: { balance: 7 }, conversationId: first.conversationId });
    expect(await readBalances(ada)).toEqual([7, 3, 0]);
  });
});
