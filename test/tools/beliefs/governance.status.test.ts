import { describe, expect, test } from "vitest";
import { NODES, type Page } from "../../../tools/_lib/beliefs/graph-state.ts";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("governance.status", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "governance.status"));

  test("[B1] [B2] tells that every checksum is valid and accounts for every mutation", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.1, 0.2], who);
    expect(await beliefs.output("governance.status", {}, who)).toEqual({
      checksum_valid: true,
      drift: expect.any(Number),
      esv_valid: true,
      coherent: true,
      timestamp: TIMESTAMP,
    });
  });

  test("[B2] finds, by counting anew, what was changed in the store, and no mutation covers that up", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.25, 0.5, 0.75], who);
    await beliefs.output("edge.bind", { src: "1", dst: "2", weight: 1 }, who);
    expect(await beliefs.output("governance.status", {}, who)).toMatchObject({ drift: 0, coherent: true });
    await beliefs.tamper(who, [NODES, 0], ({ rows, ...page }: Page) => ({
      ...page,
      rows: rows.map(([belief, ...rest], node) => [node === 1 ? belief + 0.25 : belief, ...rest]),
    }));
    // With 100 units of energy a quarter of belief is a quarter of 100/101 of support.
    expect(await beliefs.output("governance.status", {}, who)).toEqual({
      checksum_valid: true,
      drift: expect.closeTo(0.25 * (100 / 101), 9),
      esv_valid: false,
      coherent: false,
      timestamp: TIMESTAMP,
    });
    const refused = { code: 5000, name: "INVARIANT_VIOLATION" };
    expect(await beliefs.error("node.mutate", { node_id: "1", delta: 0.1 }, who)).toMatchObject(refused);
    expect(await beliefs.error("edge.propagate", { edge_id: "0" }, who)).toMatchObject(refused);
    await beliefs.output("node.mutate", { node_id: "0", delta: 0.1 }, who);
  });

  test.each<[string, (page: Page) => Page]>([
    [
      "energy was moved to a node from nowhere",
      ({ rows, ...page }) => ({ ...page, rows: rows.map(([b, , l]) => [b, "7", l]) }),
    ],
    ["a node was taken away", ({ rows, ...page }) => ({ ...page, rows: rows.slice(1) })],
  ])("[B2] is not coherent when %s", async (_, change) => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.25, 0.5], who);
    await beliefs.tamper(who, [NODES, 0], change);
    expect(await beliefs.output("governance.status", {}, who)).toMatchObject({ coherent: false });
  });

  test("[B5] is right while others change the graph", async () => {
    const who = beliefs.keeper();
    const changes = beliefs.nodes(
      Array.from({ length: 20 }, () => 0.5),
      who,
    );
    for (let look = 0; look < 10; look += 1) {
      expect(await beliefs.output("governance.status", {}, who)).toMatchObject({
        checksum_valid: true,
        coherent: true,
      });
    }
    await changes;
  });
});
