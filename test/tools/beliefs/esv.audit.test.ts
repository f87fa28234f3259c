import { describe, expect, test } from "vitest";
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
