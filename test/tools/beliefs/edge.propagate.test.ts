import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("edge.propagate", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "edge.propagate"));

  test("[B1] [B2] moves beliefs and energy along all edges, whatever edge is named", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([1, 0, 0.5], who);
    await beliefs.output("edge.bind", { src: "0", dst: "1", weight: 1 }, who);
    await beliefs.output("edge.bind", { src: "1", dst: "2", weight: -3 }, who);
    const status = await beliefs.output("edge.propagate", { edge_id: "whatever" }, who);
    expect(status).toEqual({ drift: expect.any(Number), coherent: true, timestamp: TIMESTAMP });
    expect(status["drift"]).toBeLessThan(1e-6);
    const node = async (node_id: string) => {
      const { belief, energy } = await beliefs.output("node.query", { node_id }, who);
      return [belief, energy];
    };
    expect([await node("0"), await node("1"), await node("2")]).toEqual([
      [1, 93.75],
      [0.5, 100],
      [(0.5 + 3) / 4, 106.25],
    ]);
  });

  test("is recorded, also where there is nothing to move", async () => {
    const who = beliefs.keeper();
    await beliefs.output("edge.propagate", { edge_id: "0" }, who);
    expect(await beliefs.output("lineage.replay", {}, who)).toMatchObject({ entries: [{ seq: 0 }] });
  });

  test("[B4] wants an edge to be named", async () => {
    expect(await beliefs.error("edge.propagate", {}, beliefs.keeper())).toMatchObject({
      code: 2000,
      message: expect.stringContaining("`edge_id`"),
    });
  });
});
