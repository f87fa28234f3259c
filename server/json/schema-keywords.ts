import { isObject } from "./is-object.ts";
/** The formats that are checked, as JSON Schema 2020-12 names them. Each takes time linear in the text. */
export const FORMATS = [
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "regex",
  "relative-json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
] as const;

/** Keywords whose value is one schema. */
const ONE = new Set([
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords whose value is a list of schemas. */
const LIST = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/** Keywords whose value is a mapping to schemas. */
const MAPPING = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]);

/** Keywords whose schemas apply to the very value that the schema around them is about. */
export const IN_PLACE: ReadonlySet<string> = new Set("allOf anyOf dependentSchemas else if not oneOf then".split(" "));

const OTHER =
  "$anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema const contentEncoding contentMediaType default " +
  "dependentRequired deprecated description enum examples exclusiveMaximum exclusiveMinimum format maxContains " +
  "maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf pattern " +
  "readOnly required title type uniqueItems writeOnly";

export const KEYWORDS: readonly string[] = [...ONE, ...LIST, ...MAPPING, ...OTHER.split(" ")].sort();

export type SchemaNode = Readonly<Record<string, unknown>>;

export interface Subschema {
  readonly keyword: string;
  readonly schema: unknown;
  /** From the schema around it. */
  readonly path: readonly (string | number)[];
}

/** The schemas directly inside a schema. Values that only look like schemas, under `const` or `default`, are none. */
export function subschemas(node: SchemaNode): readonly Subschema[] {
  return Object.entries(node).flatMap(([keyword, value]): Subschema[] => {
    if (ONE.has(keyword)) return [{ keyword, schema: value, path: [keyword] }];
    if (LIST.has(keyword) && Array.isArray(value)) {
      return value.map((schema: unknown, index) => ({ keyword, schema, path: [keyword, index] }));
    }
    if (MAPPING.has(keyword) && isObject(value)) {
      return Object.entries(value).map(([name, schema]) => ({ keyword, schema, path: [keyword, name] }));
    }
    return [];
  });
}
