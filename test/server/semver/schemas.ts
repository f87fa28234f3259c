import * as fc from "fast-check";
import { isObject } from "../../../server/json/is-object.ts";
import { when } from "./pairs/when.ts";
import { toSide } from "./side.ts";

type Schema = Readonly<Record<string, unknown>>;

const NAMES = ["a", "b", "c", "xa"];
const name = fc.constantFrom(...NAMES);
const scalar = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  3,
  -1,
  0.5,
  1.5,
  "",
  "a",
  "b",
  "ab",
  "abc",
  "2024-01-01",
);

/** Values of which small schemas take some. */
export const instance: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
    { weight: 2, arbitrary: fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }) },
  ),
})).value;

const types = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
const small = fc.integer({ min: 0, max: 3 });
const signed = fc.integer({ min: -2, max: 4 });
const pattern = fc.constantFrom("^a", "b$", "^[ab]+$", "^(a|abc)$", "^[a-c]{1,2}$", "a|b", "^.{2,}$");

const { schema: anySchema } = fc.letrec<{ schema: unknown; leaf: unknown; node: unknown }>((tie) => {
  const schema = tie("schema");
  const few = (maxLength: number) => fc.array(schema, { minLength: 1, maxLength });
  const members = fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true });
  const required = fc.uniqueArray(name, { maxLength: 2 });
  const optional = { requiredKeys: [] };
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 3, arbitrary: tie("leaf") },
      { weight: 4, arbitrary: tie("node") },
    ),
    leaf: fc.oneof(
      fc.record({ type: fc.constantFrom(...types) }),
      fc.record({ type: fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }) }),
      fc.record({ const: instance }),
      fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }) }),
      fc.record({ minimum: signed, maximum: signed, exclusiveMinimum: signed, exclusiveMaximum: signed }, optional),
      fc.record({
        type: fc.constantFrom("number", "integer"),
        multipleOf: fc.constantFrom(1, 2, 0.5, 3),
        minimum: signed,
      }),
      fc.record({ minLength: small, maxLength: small, pattern, format: fc.constantFrom("date", "uri") }, optional),
      fc.constant({ $ref: "#/$defs/shared" }),
      fc.constant({ $ref: "#/$defs/tree" }),
    ),
    node: fc.oneof(
      fc.record(
        {
          type: fc.constant("object"),
          properties: members,
          required,
          additionalProperties: schema,
          patternProperties: fc.dictionary(fc.constantFrom("^x", "a$"), schema, { maxKeys: 2, noNullPrototype: true }),
          minProperties: small,
          maxProperties: small,
          propertyNames: fc.constantFrom<unknown>({ maxLength: 1 }, { pattern: "^a" }, { enum: ["a", "b"] }, true),
        },
        optional,
      ),
      fc.record({ properties: members, required }),
      fc.record(
        {
          type: fc.constant("array"),
          prefixItems: few(2),
          items: schema,
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
          contains: schema,
          minContains: fc.integer({ min: 1, max: 2 }),
          maxContains: fc.integer({ min: 2, max: 3 }),
        },
        { requiredKeys: ["type", "contains"] },
      ),
      fc.record({ type: fc.constant("array"), prefixItems: few(2), items: schema }, { requiredKeys: ["type"] }),
      fc.record({ allOf: few(2) }),
      fc.record({ anyOf: few(3) }),
      fc.record({ oneOf: few(3) }),
      fc.record({ not: schema }),
      fc.tuple(schema, schema).map((both) => when(...both)),
      fc.tuple(schema, schema, schema).map((all) => when(...all)),
      fc.record({ dependentSchemas: fc.dictionary(name, schema, { maxKeys: 2, noNullPrototype: true }) }),
      fc.record({ dependentRequired: fc.dictionary(name, required, { maxKeys: 2, noNullPrototype: true }) }),
      fc.record({ properties: members, allOf: few(1), unevaluatedProperties: schema }),
      fc.record({ properties: members, anyOf: few(2), unevaluatedProperties: schema }),
      fc.record({ allOf: few(1), oneOf: few(3), unevaluatedProperties: schema }),
      fc.record({
        anyOf: fc.array(fc.record({ properties: members, required }), { minLength: 2, maxLength: 3 }),
        unevaluatedProperties: fc.constantFrom<unknown>(false, { type: "integer" }),
      }),
      fc.record({ prefixItems: few(2), allOf: few(1), unevaluatedItems: schema }),
    ),
  };
});

/** Schemas that compile, with definitions that they may refer to. */
export const schema: fc.Arbitrary<Schema> = fc
  .tuple(anySchema, fc.constantFrom("string", "integer", "number"))
  .map(([inner, type]) => withDefinitions(isObject(inner) ? inner : { allOf: [inner] }, type))
  .filter(compiles);

function withDefinitions(inner: Schema, type: string): Schema {
  const tree = { type: "object", properties: { a: { type }, b: { type: "array", items: { $ref: "#/$defs/tree" } } } };
  return { ...inner, $defs: { shared: { type, minimum: 1 }, tree } };
}

/** A schema that differs in one place, which `place` chooses: a number moved, a keyword or an item left out, a type changed. */
export function mutate(original: Schema, place: number): Schema {
  const copy = structuredClone(original) as Record<string, unknown>;
  const places: (() => void)[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const holder = node as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (typeof value === "number") {
        places.push(() => void (holder[key] = value + 1));
        places.push(() => void (holder[key] = value - 1));
      }
      if (value === "integer" || value === "number") {
        places.push(() => void (holder[key] = value === "number" ? "integer" : "number"));
      }
      if (Array.isArray(node)) places.push(() => void node.splice(Number(key), 1));
      else if (key !== "$defs") places.push(() => void delete holder[key]);
      visit(value);
    }
  };
  visit(copy);
  places[place % Math.max(1, places.length)]?.();
  return copy;
}

/** Whether it is a schema that a tool could have. */
export function compiles(candidate: Schema): boolean {
  try {
    const isEmptyList = /"(?:type|enum|allOf|anyOf|oneOf|prefixItems)":\[\]/.test(JSON.stringify(candidate));
    if (!isEmptyList && !/"(?:min|max)\w+":-/.test(JSON.stringify(candidate).replace(/"(?:min|max)imum":/g, ""))) {
      toSide(candidate);
      return !/"multipleOf":(?:0|-)/.test(JSON.stringify(candidate).replace(/"multipleOf":0\./g, ""));
    }
    return false;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
