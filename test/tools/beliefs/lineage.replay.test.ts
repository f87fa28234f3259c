import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("lineage.replay", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "lineage.replay"));

  test("[B1] [B2] tells one checksum for each mutation, in order, and the same ones each time", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0, 1], who);
    await beliefs.output("edge.bind", { src: "0", dst: "1", weight: 1 }, who);
    await beliefs.output("edge.propagate", { edge_id: "0" }, who);
    await beliefs.output("node.mutate", { node_id: "0", delta: 0.5 }, who);
    await beliefs.output("node.query", { node_id: "0" }, who);
    const replayed = await beliefs.output("lineage.replay", {}, who);
    const entry = { checksum: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, timestamp: TIMESTAMP };
    expect(replayed).toEqual({ entries: [0, 1, 2, 3, 4].map((seq) => ({ seq, ...entry })) });
    const { entries } = replayed as { entries: { checksum: string }[] };
    expect(new Set(entries.map(({ checksum }) => checksum)).size).toBe(5);
    expect(await beliefs.output("lineage.replay", {}, who)).toEqual(replayed);
  });

  test("shows MCP clients the bare list", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0], who);
    const result = await beliefs.checkout.call("lineage.replay", {}, who);
    if (!result.ok) throw new Error(result.error.message);
    const { entries } = result.output as { entries: unknown };
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(entries) }]);
  });
});
