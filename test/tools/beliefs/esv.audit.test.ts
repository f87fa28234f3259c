import { describe, expect, test } from "vitest";
import { NODES, type NodeRow, type Page } from "../../../tools/_lib/beliefs/graph-state.ts";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("esv.audit", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "esv.audit"));

  test("[B1] [B6] tells that a node's vector is valid, and nothing of what it is", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([1 / 3], who);
    expect(await beliefs.output("esv.audit", { node_id: "0" }, who)).toEqual({
      node_id: 0,
      valid: true,
      timestamp: TIMESTAMP,
    });
  });

  test.each<[string, (row: NodeRow) => NodeRow]>([
    ["belief is another one", ([, energy, level, anchor]) => [0.9, energy, level, anchor]],
    ["belief is none", ([, energy, level, anchor]) => [1.5, energy, level, anchor]],
    ["energy is another one", ([belief, , level, anchor]) => [belief, "1", level, anchor]],
    ["energy is none", ([belief, , level, anchor]) => [belief, "-5", level, anchor]],
    ["anchor is another one", ([belief, energy, level]) => [belief, energy, level, [1, 2, 3]]],
    ["belief is none, and it was made before anchors were kept", ([, energy, level]) => [-1, energy, level]],
  ])("[B1] [B2] tells that a node's vector is not valid when the store was changed, and its %s", async (_, change) => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.25, 0.5], who);
    const valid = async (node_id: string) => (await beliefs.output("esv.audit", { node_id }, who))["valid"];
    expect([await valid("0"), await valid("1")]).toEqual([true, true]);
    await beliefs.tamper(who, [NODES, 0], ({ rows: [first = [0, "0", 0], ...others], ...page }: Page) => ({
      ...page,
      rows: [change(first), ...others],
    }));
    expect([await valid("0"), await valid("1")]).toEqual([false, true]);
  });

  test("takes a node of before anchors were kept for what it says", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.25], who);
    await beliefs.tamper(who, [NODES, 0], ({ rows, ...page }: Page) => ({
      ...page,
      rows: rows.map(([belief, energy, level]) => [belief, energy, level]),
    }));
    expect(await beliefs.output("esv.audit", { node_id: "0" }, who)).toMatchObject({ valid: true });
    await beliefs.output("node.mutate", { node_id: "0", delta: 0.1 }, who);
    expect(await beliefs.output("governance.status", {}, who)).toMatchObject({ coherent: true });
  });

  test.each(["", "-1", "1.5", "abc", "18446744073709551616", "0x1"])(
    "[B4] refuses the node_id %j and says so",
    async (node_id) => {
      const who = beliefs.keeper();
      expect(await beliefs.error("esv.audit", { node_id }, who)).toMatchObject({
        code: 2000,
        name: "BAD_REQUEST",
        message: expect.stringContaining("`node_id`"),
      });
    },
  );

  test.each(["0", "18446744073709551615"])("[B3] finds no node %s in an empty graph", async (node_id) => {
    expect(await beliefs.error("esv.audit", { node_id }, beliefs.keeper())).toMatchObject({
      code: 4004,
      name: "NODE_NOT_FOUND",
      message: `Node not found: ${node_id}`,
    });
  });
});
