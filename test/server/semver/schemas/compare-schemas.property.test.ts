import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../../../server/semver/schemas/compare-schemas.ts";
import { sampleValues } from "../../../../server/semver/schemas/witnesses/sample.ts";
import type { Json } from "../../../../server/store/store.ts";
import { compiles, instance, mutate, schema } from "../schemas.ts";
import { toSide } from "../side.ts";

const isLong = process.env["CAIRN_LONG"] === "1";
const RUNS = isLong ? 100_000 : 300;
const FEW = isLong ? 10_000 : 150;
const TIMEOUT = isLong ? 7_200_000 : 60_000;
const place = fc.nat({ max: 200 });

const isUnproven = () => false;

/** Two schemas, of which the second is a mutant of the first, or unrelated. */
const pair = fc
  .tuple(schema, schema, place, place, fc.integer({ min: 0, max: 4 }))
  .map(([one, other, first, second, how]) => {
    const mutant = mutate(one, first);
    const chosen = how === 0 ? other : how === 1 ? mutate(mutant, second) : mutant;
    return [one, chosen] as const;
  })
  .filter(([, other]) => compiles(other));

describe("any two schemas", () => {
  it(
    "are never called one part of the other when some value is against it",
    () => {
      const counts = { included: 0, excluded: 0, unknown: 0 };
      let slowest = 0;
      fc.assert(
        fc.property(pair, fc.array(instance, { minLength: 30, maxLength: 40 }), ([one, other], values) => {
          const [inner, outer] = [toSide(one), toSide(other)];
          const start = performance.now();
          const comparison = compareSchemas(inner, outer);
          slowest = Math.max(slowest, performance.now() - start);
          counts[comparison.verdict] += 1;
          if (comparison.verdict === "excluded") {
            expect(inner.check(comparison.witness)).toEqual([]);
            expect(outer.check(comparison.witness)).not.toEqual([]);
          }
          if (comparison.verdict !== "included") return;
          const tried = [
            ...(values as Json[]),
            ...sampleValues([inner.place], [outer.place], isUnproven).map(({ value }) => value),
            ...sampleValues([], [outer.place], isUnproven).map(({ value }) => value),
          ];
          const against = tried.filter((value) => inner.check(value).length === 0 && outer.check(value).length > 0);
          expect(against).toEqual([]);
        }),
        { numRuns: RUNS },
      );
      process.stdout.write(`${JSON.stringify(counts)}, slowest ${slowest.toFixed(0)} ms\n`);
      expect(counts.unknown / RUNS).toBeLessThan(0.1);
      expect(Math.min(counts.included, counts.excluded)).toBeGreaterThan(RUNS / 20);
    },
    TIMEOUT,
  );

  it(
    "include themselves, whatever they are annotated with",
    () => {
      fc.assert(
        fc.property(schema, (one) => {
          const annotated = { ...structuredClone(one), title: "a", description: "b", $comment: "c" };
          expect(compareSchemas(toSide(one), toSide(annotated)).verdict).toBe("included");
        }),
        { numRuns: FEW },
      );
    },
    TIMEOUT,
  );

  it(
    "are loosened by an alternative and tightened by a condition, and never told otherwise",
    () => {
      fc.assert(
        fc.property(schema, schema, (one, other) => {
          const { $defs, ...own } = one;
          const { $defs: _others, ...more } = other;
          const verdict = (inner: unknown, outer: unknown) => compareSchemas(toSide(inner), toSide(outer)).verdict;
          expect(verdict(one, { $defs, anyOf: [own, more] })).not.toBe("excluded");
          expect(verdict({ $defs, allOf: [own, more] }, one)).not.toBe("excluded");
          expect(verdict({ $defs, allOf: [own, { not: more }] }, one)).not.toBe("excluded");
        }),
        { numRuns: FEW },
      );
    },
    TIMEOUT,
  );

  it(
    "carry inclusion on: what is part of a part is part",
    () => {
      let chains = 0;
      fc.assert(
        fc.property(schema, place, place, (one, first, second) => {
          const middle = mutate(one, first);
          if (!compiles(middle)) return;
          const last = mutate(middle, second);
          if (!compiles(last)) return;
          const verdict = (inner: unknown, outer: unknown) => compareSchemas(toSide(inner), toSide(outer)).verdict;
          if (verdict(one, middle) !== "included" || verdict(middle, last) !== "included") return;
          chains += 1;
          expect(verdict(one, last)).not.toBe("excluded");
        }),
        { numRuns: FEW },
      );
      expect(chains).toBeGreaterThan(FEW / 10);
    },
    TIMEOUT,
  );
});
