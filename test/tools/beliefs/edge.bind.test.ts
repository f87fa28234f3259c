import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("edge.bind", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "edge.bind"));

  test("[B1] numbers edges from 0 and answers with their state", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0, 1], who);
    const bind = (weight: number) => beliefs.output("edge.bind", { src: "0", dst: "1", weight }, who);
    expect(await bind(0.5)).toEqual({ edge_id: 0, src: 0, dst: 1, weight: 0.5, timestamp: TIMESTAMP });
    expect(await bind(-1)).toMatchObject({ edge_id: 1, weight: -1 });
  });

  test.each([1e6, -1e6, 0, -0])("[B4] takes the weight %d", async (weight) => {
    const who = beliefs.keeper();
    await beliefs.nodes([0, 1], who);
    expect(await beliefs.output("edge.bind", { src: "0", dst: "1", weight }, who)).toMatchObject({
      weight: weight + 0,
    });
  });

  test.each([1e6 + 1, -1e6 - 1, Number.NaN, -Infinity, "1"])(
    "[B4] refuses the weight %j and says so",
    async (weight) => {
      const who = beliefs.keeper();
      await beliefs.nodes([0, 1], who);
      expect(await beliefs.error("edge.bind", { src: "0", dst: "1", weight }, who)).toMatchObject({
        code: 2000,
        message: expect.stringContaining("`weight`"),
      });
    },
  );

  test("[B2] [B3] refuses what would close a cycle, and leaves no trace of it", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0, 0, 0], who);
    const bind = (src: string, dst: string) => ({ src, dst, weight: 1 });
    await beliefs.output("edge.bind", bind("2", "1"), who);
    await beliefs.output("edge.bind", bind("1", "0"), who);
    const before = await beliefs.output("lineage.replay", {}, who);
    for (const [src, dst] of [
      ["0", "2"],
      ["0", "0"],
      ["1", "2"],
    ] as const) {
      expect(await beliefs.error("edge.bind", bind(src, dst), who)).toMatchObject({
        code: 5000,
        name: "INVARIANT_VIOLATION",
      });
    }
    expect(await beliefs.output("lineage.replay", {}, who)).toEqual(before);
    expect(await beliefs.output("edge.bind", bind("2", "0"), who)).toMatchObject({ edge_id: 2 });
  });

  test.each(["", "-1", "1.5", "abc", "18446744073709551616", "0x1"])(
    "[B4] refuses the src %j and says so",
    async (src) => {
      const who = beliefs.keeper();
      expect(await beliefs.error("edge.bind", { dst: "0", weight: 1, src }, who)).toMatchObject({
        code: 2000,
        name: "BAD_REQUEST",
        message: expect.stringContaining("`src`"),
      });
    },
  );

  test.each(["0", "18446744073709551615"])("[B3] finds no node %s in an empty graph", async (src) => {
    expect(await beliefs.error("edge.bind", { dst: "0", weight: 1, src }, beliefs.keeper())).toMatchObject({
      code: 4004,
      name: "NODE_NOT_FOUND",
      message: `Node not found: ${src}`,
    });
  });

  test("[B3] [B4] looks at where the edge leads, too", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0], who);
    const fail = (dst: string) => beliefs.error("edge.bind", { src: "0", dst, weight: 1 }, who);
    expect(await fail("x")).toMatchObject({ code: 2000, message: expect.stringContaining("`dst`") });
    expect(await fail("1")).toMatchObject({ code: 4004, message: "Node not found: 1" });
  });
});
