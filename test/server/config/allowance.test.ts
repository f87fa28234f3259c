import { describe, expect, test } from "vitest";
import { lowest, readCeilings } from "../../../server/config/allowance.ts";

test("the lowest of each number counts, and what nobody limits stays open", () => {
  expect(lowest([{ rate: 5, dailyCost: 9 }, undefined, { rate: 3, concurrency: 2 }, {}])).toEqual({
    rate: 3,
    concurrency: 2,
    dailyCost: 9,
  });
  expect(lowest([undefined, {}])).toEqual({});
});

describe("ceilings", () => {
  test("are read from pairs", () => {
    const wrong: string[] = [];
    const pairs = ["tenant.rate=600", "actor.concurrency=4", "actor.dailyCost=1000", "tool.rate=60"];
    expect(readCeilings(pairs, (expected) => wrong.push(expected))).toEqual({
      tenant: { rate: 600 },
      actor: { concurrency: 4, dailyCost: 1000 },
      tool: { rate: 60 },
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    "rate=1",
    "tenant.rate=0",
    "tenant.rate=-1",
    "tenant.rate=1.5",
    "tenant.rate=",
    "tool.dailyCost=1",
    "x.rate=1",
  ])("cannot be `%s`", (pair) => {
    const wrong: string[] = [];
    expect(readCeilings([pair], (expected) => wrong.push(expected))).toEqual({ tenant: {}, actor: {}, tool: {} });
    expect(wrong).toEqual([expect.stringContaining(`\`${pair}\` must be`)]);
  });
});
