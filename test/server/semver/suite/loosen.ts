import { isObject } from "../../../../server/json/is-object.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that take something away from what a schema allows, so that without them it allows as much or more. */
const LIMITS = [
  ..."const contains dependentRequired enum format if maxItems maxLength maxProperties maximum exclusiveMaximum".split(
    " ",
  ),
  ..."minItems minLength minProperties minimum exclusiveMinimum multipleOf not oneOf pattern propertyNames".split(" "),
  ..."required type uniqueItems".split(" "),
];
const LOWER = ["minItems", "minLength", "minProperties", "minimum", "exclusiveMinimum"];
const UPPER = ["maxItems", "maxLength", "maxProperties", "maximum", "exclusiveMaximum"];

/** Keywords with schemas inside, of which none can be loosened without the schema around it being loosened as well. */
const INNER = ["items", "additionalProperties"];
const LISTS = ["allOf", "anyOf", "prefixItems"];
const MAPPINGS = ["properties", "patternProperties", "dependentSchemas"];

/**
 * Schemas that allow every value that this one allows, by how they are written: a bound moved outwards, a value or a type
 * more, a limit left out, at the root or further in where more there is more at the root.
 */
export function loosen(schema: Schema): readonly Schema[] {
  // What a limit looks at may count as evaluated, and does not without it.
  const isPlain = !JSON.stringify(schema).includes('"unevaluated');
  return [...moveLimits(schema), ...(isPlain ? [...leaveOut(schema), ...loosenInside(schema)] : [])];
}

function* moveLimits(schema: Schema): Generator<Schema> {
  for (const [keyword, by] of [
    ...LOWER.map((name) => [name, -1] as const),
    ...UPPER.map((name) => [name, 1] as const),
  ]) {
    const bound = schema[keyword];
    const isLength = !keyword.endsWith("imum");
    if (typeof bound === "number" && !(isLength && bound + by < 0)) yield { ...schema, [keyword]: bound + by };
  }
  if (Array.isArray(schema["enum"])) yield { ...schema, enum: [...schema["enum"], "one more"] };
  if (Array.isArray(schema["anyOf"])) yield { ...schema, anyOf: [...schema["anyOf"], { const: "one more" }] };
  if (typeof schema["type"] === "string") yield { ...schema, type: [schema["type"], moreThan(schema["type"])] };
  if (Array.isArray(schema["required"]) && schema["required"].length > 0) {
    yield { ...schema, required: schema["required"].slice(1) };
  }
}

function* leaveOut(schema: Schema): Generator<Schema> {
  for (const keyword of LIMITS) {
    if (!(keyword in schema)) continue;
    const { [keyword]: _left, ...rest } = schema;
    yield keyword === "if"
      ? without(rest, "then", "else")
      : keyword === "contains"
        ? without(rest, "minContains", "maxContains")
        : rest;
  }
}

function* loosenInside(schema: Schema): Generator<Schema> {
  for (const keyword of INNER) {
    const inner = schema[keyword];
    if (isObject(inner)) for (const each of loosen(inner)) yield { ...schema, [keyword]: each };
    if (inner === false) yield { ...schema, [keyword]: { type: "null" } };
  }
  for (const keyword of LISTS) {
    const list: readonly unknown[] = Array.isArray(schema[keyword]) ? schema[keyword] : [];
    for (const [index, inner] of list.entries()) {
      if (isObject(inner)) for (const each of loosen(inner)) yield { ...schema, [keyword]: list.with(index, each) };
    }
  }
  for (const keyword of MAPPINGS) {
    const mapping = isObject(schema[keyword]) ? schema[keyword] : {};
    for (const [name, inner] of Object.entries(mapping)) {
      if (isObject(inner))
        for (const each of loosen(inner)) yield { ...schema, [keyword]: { ...mapping, [name]: each } };
    }
  }
}

function moreThan(type: string): string {
  return type === "null" ? "boolean" : "null";
}

function without(schema: Schema, ...keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
