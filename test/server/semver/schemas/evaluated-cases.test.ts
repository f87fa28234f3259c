import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../../../server/semver/schemas/compare-schemas.ts";
import { compiles } from "../schemas.ts";
import { toSide } from "../side.ts";

const isLong = process.env["CAIRN_LONG"] === "1";
const RUNS = isLong ? 20_000 : 20;
const TIMEOUT = isLong ? 3_600_000 : 60_000;

const name = fc.constantFrom("a", "b", "c");
const value = fc.constantFrom<unknown>(0, 1, "a");
const part = fc.constantFrom<unknown>(true, { type: "integer" }, { const: 1 }, false);
const members = fc.dictionary(name, part, { maxKeys: 2, noNullPrototype: true });
const required = fc.uniqueArray(name, { maxLength: 2 });
const optional = { requiredKeys: [] };
const plain = fc.record({ properties: members, required, patternProperties: fc.constant({ "^c": true }) }, optional);
const branch = fc.oneof(
  plain,
  fc.record({ allOf: fc.array(plain, { minLength: 1, maxLength: 2 }) }),
  fc.record({ anyOf: fc.array(plain, { minLength: 1, maxLength: 2 }) }),
  fc.record({ properties: members, unevaluatedProperties: fc.boolean() }),
);
const branches = fc.array(branch, { minLength: 1, maxLength: 3 });
const schema = fc.record(
  {
    properties: members,
    anyOf: branches,
    oneOf: branches,
    allOf: branches,
    dependentSchemas: fc.dictionary(name, branch, { maxKeys: 1, noNullPrototype: true }),
    unevaluatedProperties: fc.constantFrom<unknown>(false, { type: "integer" }),
  },
  { requiredKeys: ["unevaluatedProperties"] },
);
const instance = fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });

describe("members that no alternative evaluates", () => {
  it(
    "are those that the validators mean",
    () => {
      let proven = 0;
      fc.assert(
        fc.property(schema.filter(compiles), fc.array(instance, { minLength: 8, maxLength: 8 }), (one, all) => {
          const outer = toSide(one);
          for (const each of all) {
            const isValid = outer.check(each, "first").length === 0;
            const forth = compareSchemas(toSide({ const: each }), outer).verdict;
            const none = compareSchemas(outer, toSide({ not: { const: each } })).verdict;
            if (forth !== "unknown") expect([each, forth]).toEqual([each, isValid ? "included" : "excluded"]);
            if (none === "included") expect([each, isValid]).toEqual([each, false]);
            if (forth !== "unknown") proven += 1;
          }
        }),
        { numRuns: RUNS },
      );
      expect(proven).toBeGreaterThan(RUNS * 6);
    },
    TIMEOUT,
  );
});
