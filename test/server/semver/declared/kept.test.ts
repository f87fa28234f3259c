import fc from "fast-check";
import { expect, test } from "vitest";
import { compareInputs, compareOutputs, findLostMembers } from "../../../../server/semver/compare-tools.ts";
import { toKept } from "../../../../server/semver/declared/kept.ts";
import { compareNames, listForbidden } from "../../../../server/semver/declared/names.ts";
import { evaluate } from "../../../../server/semver/schemas/evaluate.ts";
import type { JsonSchema } from "../../../../server/host-api.ts";
import type { Json } from "../../../../server/json/types.ts";
import { compileSchema } from "../../../../server/versions/manifests/schema/compile-schema.ts";
import { createStripUndeclared } from "../../../../server/versions/manifests/schema/strip-undeclared.ts";
import { createDefaults } from "../../../../server/versions/manifests/schema/with-defaults.ts";
import { compiles, instance, mutate, schema } from "../schemas.ts";

const RUNS = process.env["CAIRN_LONG"] === "1" ? 20_000 : 300;
const values = fc.array(instance, { minLength: 40, maxLength: 40 });
const pairs = fc
  .tuple(schema, schema, fc.nat({ max: 60 }), fc.boolean())
  .map(([one, other, place, isMutant]) => [one, isMutant ? mutate(one, place) : other] as const)
  .filter((both) => both.every(compiles));

/** A tool with the schema as input and output. */
function toTool(own: JsonSchema) {
  const check = compileSchema(own);
  return {
    input: own,
    output: own,
    checkInput: check,
    checkOutput: check,
    withDefaults: createDefaults(own),
    stripUndeclared: createStripUndeclared(own),
  };
}
type Tool = ReturnType<typeof toTool>;

const isSent = ({ checkOutput, stripUndeclared }: Tool, value: Json) =>
  stripUndeclared(value) === value && checkOutput(value, "first").length === 0;

test("kept values are those that the service strips of nothing", () => {
  fc.assert(
    fc.property(schema, values, (own, all) => {
      const strip = createStripUndeclared(own);
      const [inner, outer] = [toKept(own, "inner"), toKept(own, "outer")];
      for (const value of all as Json[]) {
        const isKept = strip(value) === value;
        const [loose, tight] = [inner, outer].map((place) => (place === undefined ? true : evaluate(value, place)));
        if (isKept) expect(loose, JSON.stringify([own, value])).not.toBe(false);
        else expect(tight, JSON.stringify([own, value])).not.toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
});

test("[D3] no value that the service sends is against outputs that are found compatible", () => {
  const counts = { included: 0, excluded: 0, unknown: 0 };
  fc.assert(
    fc.property(pairs, values, ([one, other], all) => {
      const [before, after] = [toTool(one), toTool(other)];
      const sent = (all as Json[]).filter((value) => isSent(after, value));
      for (const reading of ["declared", "strict"] as const) {
        const { verdict } = compareOutputs(before, after, reading);
        counts[verdict] += 1;
        if (verdict !== "included") continue;
        const isKnown = (value: Json) =>
          reading === "strict" ? isSent(before, value) : before.checkOutput(value, "first").length === 0;
        expect(
          sent.filter((value) => !isKnown(value)),
          JSON.stringify([reading, one, other]),
        ).toEqual([]);
      }
      if (findLostMembers(before, after).length > 0) return;
      const { lost } = compareNames(one, other);
      const was = (all as Json[]).filter((value) => isSent(before, value));
      expect(lost === undefined ? [] : was.filter((value) => !listForbidden(lost, value).next().done)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(counts.included).toBeGreaterThan(RUNS / 10);
  expect(counts.unknown).toBeLessThan(RUNS / 5);
});

test("[D3] no input of declared members is against inputs that are found compatible", () => {
  const counts = { included: 0, excluded: 0, unknown: 0 };
  fc.assert(
    fc.property(pairs, values, ([one, other], all) => {
      const [before, after] = [toTool(one), toTool(other)];
      const { verdict } = compareInputs(before, after, "declared");
      counts[verdict] += 1;
      const { gained, lost } = compareNames(one, other);
      const isBroken = (value: Json) =>
        before.checkInput(before.withDefaults(value), "first").length === 0 &&
        (gained === undefined || listForbidden(gained, value).next().done === true) &&
        (after.checkInput(after.withDefaults(value), "first").length > 0 ||
          (lost !== undefined && listForbidden(lost, value).next().done !== true));
      if (verdict === "included") expect((all as Json[]).filter(isBroken), JSON.stringify([one, other])).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(counts.included).toBeGreaterThan(RUNS / 20);
});
