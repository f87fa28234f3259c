import { describe, expect, test } from "vitest";
import type { Head } from "../../../tools/_lib/beliefs/graph-state.ts";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("governor.status", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "governor.status"));

  test("[B1] [B2] tells the drift, which rounding makes, and that all is coherent", async () => {
    const who = beliefs.keeper();
    expect(await beliefs.output("governor.status", {}, who)).toEqual({
      drift: 0,
      coherent: true,
      timestamp: TIMESTAMP,
    });
    await beliefs.nodes([0.1, 0.2, 1 / 3], who);
    const { drift, coherent } = await beliefs.output("governor.status", {}, who);
    expect([(drift as number) <= 1e-6, coherent]).toEqual([true, true]);
  });

  test("[B2] tells that the sums it goes by were changed in the store", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0.1, 0.2], who);
    const status = () => beliefs.output("governor.status", {}, who);
    await beliefs.tamper(who, ["head"], (head: Head) => ({ ...head, deviation: 3e9 }));
    expect(await status()).toMatchObject({ drift: 0.0015, coherent: false });
    await beliefs.tamper(who, ["head"], (head: Head) => ({ ...head, deviation: 0, reservoir: "1" }));
    expect(await status()).toMatchObject({ drift: 0, coherent: false });
  });
});
