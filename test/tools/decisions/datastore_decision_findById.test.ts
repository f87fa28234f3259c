import { describe, expect, test } from "vitest";
import type { Principal } from "../../../server/principal.ts";
import { useInvokedCheckout } from "../invoke-checkout.ts";

const checkout = useInvokedCheckout();
const of = (tenant: string): Principal => ({ tenant, actor: "ada", capabilities: new Set(["*"]) });

const INPUT = { states: [{ name: "s" }], alternatives: [{ name: "a", payoffs: [1] }] };

describe("datastore_decision_findById", () => {
  test("[G8] finds the report that decide_evaluate made", async () => {
    const report = (await checkout.output("decide_evaluate", INPUT)) as { id: string };
    expect(await checkout.output("datastore_decision_findById", { id: report.id })).toEqual(report);
  });

  test("keeps the promises of its examples", async () => {
    const { examples } = checkout.tool("datastore_decision_findById");
    expect(examples).toHaveLength(1);
    for (const { input, error } of examples) {
      expect(await checkout.call("datastore_decision_findById", input)).toMatchObject({
        ok: false,
        error: { name: error },
      });
    }
  });

  test("answers another tenant's id as it answers one that never was", async () => {
    const { id } = (await checkout.output("decide_evaluate", { ...INPUT, question: "Ours?" }, of("one"))) as {
      id: string;
    };
    const ask = async (asked: string, tenant: string) => {
      const result = await checkout.call("datastore_decision_findById", { id: asked }, of(tenant));
      return result.ok ? "found" : { error: result.error, row: result.row };
    };
    const never = `decision_${"0".repeat(32)}`;
    const error = { code: 4000, name: "NOT_FOUND" };
    expect(await ask(id, "one")).toBe("found");
    expect(await ask(id, "two")).toMatchObject({
      error: { ...error, message: `There is no decision report \`${id}\`.` },
    });
    expect(await ask(never, "two")).toMatchObject({
      error: { ...error, message: `There is no decision report \`${never}\`.` },
    });
  });

  test("refuses ids that cannot be", async () => {
    for (const input of [{}, { id: "" }, { id: 1 }, { id: "x".repeat(129) }, { id: "x", tenant: "two" }]) {
      expect(await checkout.call("datastore_decision_findById", input)).toMatchObject({
        error: { name: "BAD_REQUEST" },
      });
    }
  });
});
