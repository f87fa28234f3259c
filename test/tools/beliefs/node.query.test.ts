import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("node.query", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "node.query"));

  test("[B1] tells what a node is, and changes nothing", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.25, 0.75], who);
    const before = await beliefs.output("lineage.replay", {}, who);
    for (const node_id of ["1", "01"]) {
      expect(await beliefs.output("node.query", { node_id }, who)).toEqual({
        node_id: 1,
        belief: 0.75,
        energy: 100,
        timestamp: TIMESTAMP,
      });
    }
    expect(await beliefs.output("lineage.replay", {}, who)).toEqual(before);
  });

  test.each(["", "-1", "1.5", "abc", "18446744073709551616", "0x1"])(
    "[B4] refuses the node_id %j and says so",
    async (node_id) => {
      const who = beliefs.keeper();
      expect(await beliefs.error("node.query", { node_id }, who)).toMatchObject({
        code: 2000,
        name: "BAD_REQUEST",
        message: expect.stringContaining("`node_id`"),
      });
    },
  );

  test.each(["0", "18446744073709551615"])("[B3] finds no node %s in an empty graph", async (node_id) => {
    expect(await beliefs.error("node.query", { node_id }, beliefs.keeper())).toMatchObject({
      code: 4004,
      name: "NODE_NOT_FOUND",
      message: `Node not found: ${node_id}`,
    });
  });

  test("sees no other tenant's node", async () => {
    await beliefs.nodes([0.5], beliefs.keeper());
    expect(await beliefs.error("node.query", { node_id: "0" }, beliefs.keeper())).toMatchObject({ code: 4004 });
  });
});
