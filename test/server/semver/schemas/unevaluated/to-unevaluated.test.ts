import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../../../../server/semver/schemas/compare-schemas.ts";
import { compiles } from "../../schemas.ts";
import { when } from "../../pairs/when.ts";
import { toSide } from "../../side.ts";

const isLong = process.env["CAIRN_LONG"] === "1";
const RUNS = isLong ? 20_000 : 20;
const TIMEOUT = isLong ? 3_600_000 : 60_000;

type Schema = Readonly<Record<string, unknown>>;

const optional = { requiredKeys: [] };
const name = fc.constantFrom("a", "b", "c");
const value = fc.constantFrom<unknown>(0, 1, "a");
const part = fc.constantFrom<unknown>(true, { type: "integer" }, { const: 1 }, false);
const members = fc.dictionary(name, part, { maxKeys: 2, noNullPrototype: true });
const required = fc.uniqueArray(name, { maxLength: 2 });
const left = fc.constantFrom<unknown>(false, { type: "integer" });

/** Schemas of objects, or of lists, with keywords that ajv takes notes for; `plain` ones have no others inside. */
function around(plain: fc.Arbitrary<Schema>, own: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const some = (inner: fc.Arbitrary<Schema>, maxLength: number) => fc.array(inner, { minLength: 1, maxLength });
  const conditional = (inner: fc.Arbitrary<Schema>) =>
    fc.oneof(
      fc.tuple(inner, inner).map((both) => when(...both)),
      fc.tuple(inner, inner, inner).map((all) => when(...all)),
      fc.tuple(inner, inner).map(([condition, otherwise]) => when(condition, true, otherwise)),
    );
  const shared = fc.constant({ $ref: "#/$defs/shared" });
  const target = fc.oneof(
    { weight: 3, arbitrary: plain },
    fc.record({ allOf: some(plain, 2) }),
    fc.record({ anyOf: some(plain, 2) }),
    fc.tuple(fc.record({ anyOf: some(plain, 2) }), plain).map(([one, other]) => ({ ...one, ...other })),
    fc.record({ oneOf: some(plain, 2) }),
    conditional(plain),
    fc.boolean().map((isAll) => (isAll ? {} : { not: {} })),
  );
  const branch = fc.oneof({ weight: 5, arbitrary: target }, { weight: 1, arbitrary: shared });
  const lists = { anyOf: some(branch, 3), oneOf: some(branch, 3), allOf: some(branch, 2) };
  return fc
    .tuple(
      fc.record(
        { ...own, ...lists, dependentSchemas: fc.dictionary(name, branch, { maxKeys: 1, noNullPrototype: true }) },
        optional,
      ),
      fc.oneof(conditional(branch), shared, fc.constant({})),
      target,
      left,
    )
    .map(([one, other, meant, rest]) => ({ one: { ...one, ...other }, rest, $defs: { shared: meant } }));
}

const objects = around(
  fc.oneof(
    fc.record({ properties: members, required, patternProperties: fc.constant({ "^c": true }) }, optional),
    fc.record({ properties: members, unevaluatedProperties: fc.boolean() }),
  ),
  { properties: members, patternProperties: fc.constant({ "^c": { type: "integer" } }), required },
).map(({ one, rest, $defs }): Schema => ({ ...one, unevaluatedProperties: rest, $defs }));
const object = fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });

const lists = around(
  fc.oneof(
    fc.record({ prefixItems: fc.array(part, { minLength: 1, maxLength: 2 }), minItems: fc.nat({ max: 2 }) }, optional),
    fc.record({ items: part }),
    fc.record({ contains: part, maxContains: fc.nat({ max: 2 }) }, { requiredKeys: ["contains"] }),
    fc.record({ prefixItems: fc.array(part, { minLength: 1, maxLength: 1 }), unevaluatedItems: fc.boolean() }),
  ),
  { prefixItems: fc.array(part, { minLength: 1, maxLength: 1 }), minItems: fc.nat({ max: 2 }) },
).map(({ one, rest, $defs }): Schema => ({ ...one, unevaluatedItems: rest, $defs }));
const list = fc.array(value, { maxLength: 3 });

/** In a keyword that the validators check in a loop. */
const repeated = (one: fc.Arbitrary<Schema>) => one.map(({ $defs, ...inner }): Schema => ({ items: inner, $defs }));

/** Compares a schema and its opposite with each of the values, both ways, and counts what could be proven. */
function expectTruth(schema: Schema, values: readonly unknown[]): number {
  const [outer, opposite] = [toSide(schema), toSide(negate(schema))];
  const verdictsOf = (each: unknown) => {
    const [alone, others] = [toSide({ const: each }), toSide({ not: { const: each } })];
    return [
      compareSchemas(alone, outer).verdict,
      compareSchemas(outer, others).verdict,
      compareSchemas(alone, opposite).verdict,
      compareSchemas(opposite, others).verdict,
    ];
  };
  return values.filter((each) => {
    const isValid = outer.check(each, "first").length === 0;
    const truth = isValid
      ? ["included", "excluded", "excluded", "included"]
      : ["excluded", "included", "included", "excluded"];
    const verdicts = verdictsOf(each);
    const known = truth.map((verdict, index) => (verdicts[index] === "unknown" ? "unknown" : verdict));
    expect([each, ...verdicts]).toEqual([each, ...known]);
    return verdicts[0] !== "unknown";
  }).length;
}

function negate({ $defs, ...own }: Schema): Schema {
  return { not: own, $defs };
}

describe.each([
  ["members", objects, object, 5],
  ["items", lists, list, 4],
  ["members in items", repeated(objects), fc.array(object, { maxLength: 3 }), 3],
  ["items in items", repeated(lists), fc.array(list, { maxLength: 3 }), 3],
] as const)(
  "%s that no alternative evaluates",
  (_title, schema: fc.Arbitrary<Schema>, instance: fc.Arbitrary<unknown>, least) => {
    it(
      "are those that the validators mean",
      () => {
        let proven = 0;
        fc.assert(
          fc.property(schema.filter(compiles), fc.array(instance, { minLength: 8, maxLength: 8 }), (one, all) => {
            proven += expectTruth(one, all);
          }),
          { numRuns: RUNS },
        );
        expect(proven).toBeGreaterThan(RUNS * least);
      },
      TIMEOUT,
    );
  },
);
