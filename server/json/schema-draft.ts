import { isObject } from "./is-object.ts";
import { toPointer } from "./pointer.ts";
import { toTarget } from "./resolve-reference.ts";
import { type Draft, isOfOtherDraft, type SchemaNode, type Subschema, subschemas } from "./schema-keywords.ts";

/** Drafts by the text of `$schema` without an empty fragment. */
const DIALECTS: ReadonlyMap<string, Draft> = new Map([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
  ["http://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft-07/schema", "draft-07"],
]);

/** Keywords of draft-07 that are read beside `$ref`: references lead into the first two, and the others decide nothing. */
const BESIDE_REFERENCE = new Set(["$defs", "definitions", "$comment", "$ref", "$schema", "description", "title"]);

/** Reads the draft of a schema: 2020-12 where it names none, as in MCP; undefined for any other. */
export function draftOf(schema: unknown): Draft | undefined {
  const dialect = isObject(schema) ? schema["$schema"] : undefined;
  if (dialect === undefined) return "2020-12";
  return typeof dialect === "string" ? DIALECTS.get(dialect.replace(/#$/, "")) : undefined;
}

/** Checks that a schema of the draft has a meaning for the keyword: in draft-07, `$ref` takes it from those beside it. */
export function isRead(keyword: string, node: SchemaNode, draft: Draft): boolean {
  if (isOfOtherDraft(keyword, draft)) return false;
  const isAlone = draft === "draft-07" && typeof node["$ref"] === "string";
  return !isAlone || BESIDE_REFERENCE.has(keyword) || keyword.startsWith("x-");
}

const converted = new WeakMap<object, unknown>();

/**
 * Converts a schema of an older draft to a schema of 2020-12 that allows the same values, so that all code behind it
 * knows one draft. Local references lead to where their targets now stand. Keywords that the draft does not have are left
 * out, as it ignores them. `$dynamicRef` becomes `$ref`: in a schema without a `$id` inside, there is only one way to read
 * it. Any other schema of 2020-12, or of an unknown draft, comes back as it is.
 */
export function toLatestDraft<Schema>(schema: Schema): Schema;
export function toLatestDraft(schema: unknown): unknown {
  const draft = draftOf(schema);
  if (!isObject(schema) || draft === undefined) return schema;
  const known = converted.get(schema);
  if (known !== undefined) return known;
  if (draft === "2020-12" && (!mentions(schema, "$dynamicRef") || subschemas(schema).some(hasIdentity))) {
    converted.set(schema, schema);
    return schema;
  }
  const { $schema: _, ...unsaid } = schema;
  const conversion: Conversion = { draft, hides: hidesContains(schema, draft), moved: new Map(), references: [] };
  const latest = convert(conversion, unsaid, "", "");
  for (const node of conversion.references) node["$ref"] = toReference(String(node["$ref"]), conversion.moved);
  converted.set(schema, latest);
  return latest;
}

/**
 * Writes `nullable: true` of OpenAPI 3.0 as a further type, which is how ajv reads it beside `type`. Elsewhere it means
 * nothing. Other keywords, such as `enum`, still decide.
 */
export function withNull(node: SchemaNode): SchemaNode {
  const { nullable, ...rest } = node;
  if (nullable !== true || rest["type"] === undefined) return node;
  return { ...rest, type: [...new Set([rest["type"], "null"].flat())] };
}

interface Conversion {
  readonly draft: Draft;
  /** True if items that `contains` finds must not count as evaluated: since 2020-12 they do. */
  readonly hides: boolean;
  /** Pointers to schemas after the conversion, by those before it and by anchors (`#name`). */
  readonly moved: Map<string, string>;
  /** Converted schemas whose `$ref` still has the reference from before. */
  readonly references: Record<string, unknown>[];
}

type Steps = readonly (string | number)[];
/** Converts the schema at `path` of the schema around it, which afterwards is at `place`. */
type At = (inner: unknown, path: Steps, place?: Steps) => unknown;

function convert(conversion: Conversion, node: unknown, from: string, to: string): unknown {
  conversion.moved.set(from, to);
  if (!isObject(node)) return node;
  const { draft, hides } = conversion;
  const at: At = (inner, path, place = path) =>
    convert(conversion, inner, from + toPointer(path), to + toPointer(place));
  const kept = Object.fromEntries(Object.entries(node).filter(([keyword]) => isRead(keyword, node, draft)));
  const { $recursiveRef, $dynamicRef, $recursiveAnchor: _, additionalItems: _more, ...others } = kept;
  const { contains, minContains, maxContains, ...plain } = others;
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(hides ? plain : others)) {
    Object.assign(copy, convertKeyword(keyword, value, kept, at));
  }
  const parts: readonly unknown[] = Array.isArray(copy["allOf"]) ? copy["allOf"] : [];
  if (hides && "contains" in kept) {
    // Nothing counts as evaluated that is found below `not`.
    const inner = at(contains, ["contains"], ["allOf", parts.length, "not", "not", "contains"]);
    const counts = Object.entries({ minContains, maxContains }).filter(([keyword]) => keyword in kept);
    copy["allOf"] = [...parts, { not: { not: { contains: inner, ...Object.fromEntries(counts) } } }];
  }
  // Schemas with a `$id` inside others are refused, so that the outermost anchor is the only one.
  const further = $dynamicRef ?? $recursiveRef;
  if (further !== undefined) {
    if ("$ref" in copy) {
      const other: Record<string, unknown> = { $ref: further };
      conversion.references.push(other);
      copy["allOf"] = [...[copy["allOf"] ?? []].flat(), other];
    } else copy["$ref"] = further;
  }
  if (typeof copy["$ref"] === "string") conversion.references.push(copy);
  for (const anchor of [copy["$anchor"], copy["$dynamicAnchor"]]) {
    if (typeof anchor === "string") conversion.moved.set(`#${anchor}`, to);
  }
  return copy;
}

function convertKeyword(keyword: string, value: unknown, node: SchemaNode, at: At): SchemaNode {
  if (keyword === "$id" && typeof value === "string" && value.startsWith("#")) return { $anchor: value.slice(1) };
  if (keyword === "items" && Array.isArray(value)) {
    const prefix = value.map((item, index) => at(item, ["items", index], ["prefixItems", index]));
    const rest =
      "additionalItems" in node ? { items: at(node["additionalItems"], ["additionalItems"], ["items"]) } : {};
    return { ...(prefix.length > 0 ? { prefixItems: prefix } : {}), ...rest };
  }
  if (keyword === "dependencies" && isObject(value)) {
    const lists = Object.entries(value).filter(([, needed]) => Array.isArray(needed));
    const others = Object.entries(value).filter(([, needed]) => !Array.isArray(needed));
    const schemas = others.map(([name, inner]) => [name, at(inner, [keyword, name], ["dependentSchemas", name])]);
    return { dependentRequired: Object.fromEntries(lists), dependentSchemas: Object.fromEntries(schemas) };
  }
  const inner = subschemas({ [keyword]: value }).map(({ schema, path }) => ({ path, schema: at(schema, path) }));
  if (inner.length === 0) return { [keyword]: value };
  if (Array.isArray(value)) return { [keyword]: inner.map(({ schema }) => schema) };
  const [, name] = inner[0]?.path ?? [];
  if (name === undefined) return { [keyword]: inner[0]?.schema };
  return { [keyword]: Object.fromEntries(inner.map(({ path, schema }) => [path[1], schema])) };
}

function toReference(reference: string, moved: ReadonlyMap<string, string>): string {
  const target = reference.startsWith("#") ? moved.get(toTarget(reference)) : undefined;
  return target === undefined ? reference : `#${encodeURI(target).replaceAll("#", "%23")}`;
}

function hidesContains(schema: SchemaNode, draft: Draft): boolean {
  return draft === "2019-09" && mentions(schema, "unevaluatedItems");
}

function hasIdentity({ schema }: Subschema): boolean {
  return isObject(schema) && ("$id" in schema || subschemas(schema).some(hasIdentity));
}

function mentions(node: unknown, keyword: string): boolean {
  return isObject(node) && (keyword in node || subschemas(node).some(({ schema }) => mentions(schema, keyword)));
}
