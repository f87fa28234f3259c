import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("node.mutate", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "node.mutate"));

  test.each([
    [0.25, 0.75, 99.75],
    [-0.25, 0.25, 99.75],
    [9, 1, 99.5],
    [-1.7e308, 0, 99.5],
    [0, 0.5, 100],
  ])(
    "[B1] [B2] moves a belief by %d, not out of [0, 1], and consumes energy for what it moved",
    async (delta, belief, energy) => {
      const who = beliefs.keeper();
      await beliefs.nodes([0.5], who);
      const after = { node_id: 0, belief, energy, timestamp: TIMESTAMP };
      expect(await beliefs.output("node.mutate", { node_id: "0", delta }, who)).toEqual(after);
      expect(await beliefs.output("node.query", { node_id: "0" }, who)).toEqual(after);
      expect(await beliefs.output("governor.status", {}, who)).toMatchObject({ coherent: true });
    },
  );

  test("takes no more energy than a node has", async () => {
    const who = beliefs.keeper();
    await beliefs.output("node.create", { belief: 0, energy: 0.25 }, who);
    expect(await beliefs.output("node.mutate", { node_id: "0", delta: 1 }, who)).toMatchObject({
      belief: 1,
      energy: 0,
    });
  });

  test.each(["", "-1", "1.5", "abc", "18446744073709551616", "0x1"])(
    "[B4] refuses the node_id %j and says so",
    async (node_id) => {
      const who = beliefs.keeper();
      expect(await beliefs.error("node.mutate", { delta: 0.1, node_id }, who)).toMatchObject({
        code: 2000,
        name: "BAD_REQUEST",
        message: expect.stringContaining("`node_id`"),
      });
    },
  );

  test.each(["0", "18446744073709551615"])("[B3] finds no node %s in an empty graph", async (node_id) => {
    expect(await beliefs.error("node.mutate", { delta: 0.1, node_id }, beliefs.keeper())).toMatchObject({
      code: 4004,
      name: "NODE_NOT_FOUND",
      message: `Node not found: ${node_id}`,
    });
  });

  test.each([Number.NaN, Infinity, "0.1", null])("[B4] refuses the delta %j and says so", async (delta) => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.5], who);
    expect(await beliefs.error("node.mutate", { node_id: "0", delta }, who)).toMatchObject({
      code: 2000,
      message: expect.stringContaining("`delta`"),
    });
  });
});
