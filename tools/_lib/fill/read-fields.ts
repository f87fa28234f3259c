import type { JsonSchema } from "../../../server/host-api.ts";
import { fold, toTerms, tokenise } from "../language/tokenise.ts";

export type Scalar = string | number | boolean;

/** Kind of value that a property of a tool's input takes, as far as a message can give one. */
type FieldKind = "choice" | "flag" | "integer" | "number" | "date-time" | "date" | "time" | "text" | "list" | "opaque";

/** One property of a tool's input. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  /** The name taken apart, in lower case. */
  readonly words: readonly string[];
  /** Stems of name and description. */
  readonly terms: ReadonlySet<string>;
  readonly choices: readonly Scalar[];
  /** Items of a `list`. */
  readonly items?: Field;
}

const NESTING = 8;

/** The properties of an object schema, in their order. */
export function readFields(schema: JsonSchema): Field[] {
  const { properties, required } = schema;
  if (!isSchema(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, property]) =>
    readField(name, isSchema(property) ? property : {}, schema, needed.has(name), NESTING),
  );
}

function readField(name: string, property: JsonSchema, root: JsonSchema, required: boolean, depth: number): Field {
  const schema = resolve(property, root);
  const { description: told, title, items } = schema;
  const description = [title, told].filter((text) => typeof text === "string").join(". ");
  const choices = readChoices(schema);
  const kind = readKind(schema, choices, name, description);
  const list =
    kind === "list" && isSchema(items) && depth > 0 ? readField(name, items, root, false, depth - 1) : undefined;
  return {
    name,
    kind,
    required,
    description,
    schema,
    words: toWords(name),
    terms: new Set([...toTerms(name), ...toTerms(description)]),
    choices,
    ...(list ? { items: list } : {}),
  };
}

/** Follows a local `$ref`, and takes the first real alternative of "this or null". */
function resolve(schema: JsonSchema, root: JsonSchema, depth = NESTING): JsonSchema {
  const { $ref, anyOf, oneOf, ...rest } = schema;
  if (depth === 0) return rest;
  if (typeof $ref === "string" && $ref.startsWith("#/")) {
    const target = $ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, key) => (isSchema(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
    return isSchema(target) ? resolve({ ...target, ...rest }, root, depth - 1) : rest;
  }
  const alternatives = [anyOf, oneOf].filter(Array.isArray).flat().filter(isSchema);
  const real = alternatives.map((one) => resolve(one, root, depth - 1)).filter(({ type }) => type !== "null");
  if (real.length > 0 && real.every(({ const: value }) => isScalar(value))) {
    return { ...rest, enum: real.map(({ const: value }) => value) };
  }
  return real.length === 1 ? { ...real[0], ...rest } : schema;
}

function readChoices({ enum: values, const: only }: JsonSchema): Scalar[] {
  return [...(Array.isArray(values) ? values : []), ...(only === undefined ? [] : [only])].filter(isScalar);
}

function readKind(schema: JsonSchema, choices: readonly Scalar[], name: string, description: string): FieldKind {
  const { type, format } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  if (choices.length > 0) return "choice";
  if (types.length > 1 && !types.includes("string")) return "opaque";
  if (types.includes("string")) {
    if (format === "date-time" || format === "date" || format === "time") return format;
    if (format === undefined && /RFC ?3339|ISO ?8601|\bdate-?time\b|\btimestamp\b/i.test(`${description} ${name}`))
      return "date-time";
    return "text";
  }
  const kinds: Readonly<Record<string, FieldKind>> = {
    boolean: "flag",
    integer: "integer",
    number: "number",
    array: "list",
  };
  return kinds[String(types[0])] ?? "opaque";
}

function toWords(name: string): string[] {
  return tokenise(name.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ").replaceAll("_", " ")).map(({ word }) =>
    fold(word),
  );
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
