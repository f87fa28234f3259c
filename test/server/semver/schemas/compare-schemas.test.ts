import { describe, expect, it } from "vitest";
import { compareSchemas, type Comparison } from "../../../../server/semver/schemas/compare-schemas.ts";
import { JUNCTIONS } from "../pairs/junctions.ts";
import { LISTS } from "../pairs/lists.ts";
import { NUMBERS } from "../pairs/numbers.ts";
import { OBJECTS } from "../pairs/objects.ts";
import type { Pair } from "../pairs/pair.ts";
import { REFERENCES } from "../pairs/references.ts";
import { TEXTS } from "../pairs/texts.ts";
import { VALUES } from "../pairs/values.ts";
import { toSide } from "../side.ts";

const TABLES: Readonly<Record<string, readonly Pair[]>> = {
  values: VALUES,
  numbers: NUMBERS,
  texts: TEXTS,
  objects: OBJECTS,
  lists: LISTS,
  junctions: JUNCTIONS,
  references: REFERENCES,
};

interface Directed {
  readonly inner: unknown;
  readonly outer: unknown;
  readonly isPart: boolean;
  readonly comparison: Comparison;
}

function bothWays([one, relation, other]: Pair): readonly Directed[] {
  const compare = (inner: unknown, outer: unknown, isPart: boolean): Directed => ({
    inner,
    outer,
    isPart,
    comparison: compareSchemas(toSide(inner), toSide(outer)),
  });
  return [compare(one, other, relation !== "x"), compare(other, one, relation === "=")];
}

const all = Object.entries(TABLES).map(([name, pairs]) => ({ name, directed: pairs.flatMap(bothWays) }));
const show = ({ inner, outer, comparison }: Directed) =>
  `${JSON.stringify(inner)} in ${JSON.stringify(outer)}: ${comparison.verdict}`;

describe("pairs of schemas", () => {
  it.each(all)("are never told wrong: $name", ({ directed }) => {
    const wrong = directed.filter(
      ({ isPart, comparison }) => comparison.verdict === (isPart ? "excluded" : "included"),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it("are told for certain in at least 95 of 100 cases where one is part of the other", () => {
    const directed = all.flatMap((table) => table.directed);
    const parts = directed.filter(({ isPart }) => isPart);
    const others = directed.filter(({ isPart }) => !isPart);
    const open = parts.filter(({ comparison }) => comparison.verdict === "unknown");
    const unproven = others.filter(({ comparison }) => comparison.verdict === "unknown");
    process.stdout.write(
      `${directed.length} pairs; of ${parts.length} compatible ones ${open.length} unknown, of ${others.length} others ${unproven.length}\n`,
    );
    expect(directed.length).toBeGreaterThan(300);
    expect(open.length / parts.length, open.map(show).join("\n")).toBeLessThanOrEqual(0.05);
    expect(unproven.length / others.length, unproven.map(show).join("\n")).toBeLessThanOrEqual(0.05);
  });

  it("have a value as proof where they are told apart, which the validators take and refuse", () => {
    const excluded = all
      .flatMap((table) => table.directed)
      .flatMap(({ inner, outer, comparison }) =>
        comparison.verdict === "excluded" ? [{ inner, outer, witness: comparison.witness }] : [],
      );
    expect(excluded.length).toBeGreaterThan(100);
    const wrong = excluded.filter(
      ({ inner, outer, witness }) =>
        toSide(inner).check(witness).length > 0 || toSide(outer).check(witness).length === 0,
    );
    expect(wrong).toEqual([]);
  });

  it("are told apart in 280 ways, of which 277 have a value of their own", () => {
    const findings = all.flatMap((table) => table.directed).flatMap(({ comparison }) => [...comparison.findings]);
    const proven = findings.filter(({ value }) => value !== undefined);
    expect([findings.length, proven.length]).toEqual([280, 277]);
  });
});
