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
  "additionalItems",
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

/** Keywords whose value is, or may be, a list of schemas. */
const LIST = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);

/** Keywords whose value is a mapping to schemas. */
const MAPPING = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** Keywords whose schemas apply to the very value that the schema around them is about. */
export const IN_PLACE: ReadonlySet<string> = new Set(
  "allOf anyOf dependencies dependentSchemas else if not oneOf then".split(" "),
);

const OTHER =
  "$anchor $comment $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema const contentEncoding contentMediaType default " +
  "dependentRequired deprecated description enum examples exclusiveMaximum exclusiveMinimum format maxContains " +
  "maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf pattern " +
  "readOnly required title type uniqueItems writeOnly";

/** Drafts of JSON Schema that a schema may be written in. */
export type Draft = "2020-12" | "2019-09" | "draft-07";

/** Keywords that a draft does not have, though another one does. */
const LACKING: Readonly<Record<Draft, string>> = {
  "2020-12": "$recursiveAnchor $recursiveRef additionalItems dependencies",
  "2019-09": "$dynamicAnchor $dynamicRef dependencies prefixItems",
  // `$defs` and `deprecated` are later, but decide nothing, and many schemas of this draft have them.
  "draft-07":
    "$anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef contentSchema dependentRequired dependentSchemas " +
    "maxContains minContains prefixItems unevaluatedItems unevaluatedProperties",
};

const ALL = new Set([...ONE, ...LIST, ...MAPPING, ...OTHER.split(" ")]);

/** Keywords of each draft, in the order of the alphabet. */
export const KEYWORDS: Readonly<Record<Draft, ReadonlySet<string>>> = {
  "2020-12": toKeywords("2020-12"),
  "2019-09": toKeywords("2019-09"),
  "draft-07": toKeywords("draft-07"),
};

function toKeywords(draft: Draft): ReadonlySet<string> {
  return new Set([...ALL.difference(new Set(LACKING[draft].split(" ")))].sort());
}

/** Checks that a keyword is none of the draft, but one of another draft. */
export function isOfOtherDraft(keyword: string, draft: Draft): boolean {
  return ALL.has(keyword) && !KEYWORDS[draft].has(keyword);
}

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
    if (LIST.has(keyword) && Array.isArray(value)) {
      return value.map((schema: unknown, index) => ({ keyword, schema, path: [keyword, index] }));
    }
    if (ONE.has(keyword)) return [{ keyword, schema: value, path: [keyword] }];
    if (MAPPING.has(keyword) && isObject(value)) {
      return Object.entries(value).map(([name, schema]) => ({ keyword, schema, path: [keyword, name] }));
    }
    return [];
  });
}

/** Copies a schema with each schema in it, and itself, as `change` has it. */
export function mapSchemas(node: unknown, change: (schema: SchemaNode) => SchemaNode): unknown {
  if (!isObject(node)) return node;
  const changed: Record<string, unknown> = { ...change(node) };
  for (const { keyword, schema, path } of subschemas(changed)) {
    const [, step] = path;
    const inner = mapSchemas(schema, change);
    const around = changed[keyword];
    if (step === undefined) changed[keyword] = inner;
    else if (Array.isArray(around)) changed[keyword] = around.with(Number(step), inner);
    else changed[keyword] = { ...(around as SchemaNode), [step]: inner };
  }
  return changed;
}
