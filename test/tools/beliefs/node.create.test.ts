import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { TIMESTAMP, useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("node.create", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "node.create"));

  test("[B1] numbers nodes from 0 and answers with their state", async () => {
    const who = beliefs.keeper();
    const create = (belief: number, energy: number) => beliefs.output("node.create", { belief, energy }, who);
    expect(await create(0.7, 100)).toEqual({ node_id: 0, belief: 0.7, energy: 100, timestamp: TIMESTAMP });
    expect(await create(0, 0.5)).toEqual({ node_id: 1, belief: 0, energy: 0.5, timestamp: TIMESTAMP });
    const other = beliefs.keeper();
    expect(await beliefs.output("node.create", { belief: 1, energy: 1 }, other)).toMatchObject({ node_id: 0 });
  });

  test.each([
    [0, 0],
    [1, 1e12],
    [-0, -0],
    [0.5, 1e-6],
  ])("[B4] takes the belief %d and the energy %d", async (belief, energy) => {
    const created = await beliefs.output("node.create", { belief, energy }, beliefs.keeper());
    expect(created).toMatchObject({ belief: belief + 0, energy: energy + 0 });
    expect(JSON.stringify(created)).not.toContain("-0");
  });

  test("counts energy to a millionth", async () => {
    const who = beliefs.keeper();
    const energy = async (given: number) =>
      (await beliefs.output("node.create", { belief: 0, energy: given }, who))["energy"];
    expect([await energy(0.1234564), await energy(0.1234566), await energy(4e-7)]).toEqual([0.123456, 0.123457, 0]);
  });

  test.each([
    ["belief", { belief: -0.001, energy: 1 }],
    ["belief", { belief: 1.001, energy: 1 }],
    ["belief", { belief: Number.NaN, energy: 1 }],
    ["belief", { belief: Infinity, energy: 1 }],
    ["belief", { belief: "0.5", energy: 1 }],
    ["belief", { belief: "NaN", energy: 1 }],
    ["belief", { belief: null, energy: 1 }],
    ["belief", { energy: 1 }],
    ["energy", { belief: 1, energy: -1 }],
    ["energy", { belief: 1, energy: 1e12 + 1 }],
    ["energy", { belief: 1, energy: 1.7e308 }],
    ["energy", { belief: 1, energy: -Infinity }],
    ["energy", { belief: 1 }],
  ])("[B4] names `%s` when it refuses %j", async (field, input) => {
    const who = beliefs.keeper();
    expect(await beliefs.error("node.create", input, who)).toMatchObject({
      code: 2000,
      name: "BAD_REQUEST",
      message: expect.stringContaining(`\`${field}\``),
    });
    expect(await beliefs.error("node.query", { node_id: "0" }, who)).toMatchObject({ code: 4004 });
  });

  test("[B2] [B3] refuses more energy than there is", { timeout: 120_000 }, async () => {
    const who = beliefs.keeper();
    const create = (energy: number) => beliefs.output("node.create", { belief: 0, energy }, who);
    for (let node = 0; node < 1_000; node += 1) await create(1e12);
    expect(await beliefs.error("node.create", { belief: 0, energy: 1e-6 }, who)).toMatchObject({
      code: 5000,
      name: "INVARIANT_VIOLATION",
    });
    expect(await create(0)).toMatchObject({ node_id: 1_000 });
  });
});
