import { describe, expect, test } from "vitest";
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
