import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../host-api.ts";
import { isObject } from "../../json/is-object.ts";
import { nestsDeeper } from "../../json/nests-deeper.ts";
import { type SchemaNode, subschemas } from "../../json/schema-keywords.ts";
import { checkSchema } from "../../versions/manifests/schema/check-schema.ts";

/** Schema of another server in the words of draft 2020-12, or the reason why it cannot be read. */
export type ForeignSchema =
  /** `hasUnmatched`: it has patterns that cannot be matched in linear time, so that no value can be checked. */
  { readonly schema: JsonSchema; readonly hasUnmatched: boolean } | { readonly refused: string };

export type ReadForeignSchema = (declared: unknown) => ForeignSchema;

/** Containers in one another, beyond which a schema is not looked into. */
const NESTING_LIMIT = 100;
const DRAFTS = /^https?:\/\/json-schema\.org\/(?:draft\/(2019-09|2020-12)\/schema|draft-0([4-7])\/schema)#?$/;

/**
 * Creates a reader of schemas that others wrote, in drafts from 4 to 2020-12. Keywords without meaning and formats that
 * nobody checks are left out, as JSON Schema has it. MCP takes a schema that names no draft as one of 2020-12.
 */
export function createForeignReader(): ReadForeignSchema {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  return (declared) => {
    if (declared === undefined) return { refused: "there is none" };
    if (!isObject(declared)) return { refused: "it is no JSON object" };
    if (nestsDeeper(declared, NESTING_LIMIT)) return { refused: `it nests deeper than ${NESTING_LIMIT} levels` };
    const { $schema: dialect = "https://json-schema.org/draft/2020-12/schema" } = declared;
    const [isKnown, recent, old] = DRAFTS.exec(String(dialect)) ?? [];
    if (isKnown === undefined) return { refused: `\`$schema\` names \`${String(dialect).slice(0, 100)}\`` };
    const converted = convert(declared, recent === undefined ? Number(old) : Infinity);
    const schema = isObject(converted) ? converted : {};
    if (ajv.validateSchema(schema) !== true) {
      const [first] = ajv.errors ?? [];
      return { refused: `it is no JSON Schema: \`${first?.instancePath ?? ""}\` ${first?.message ?? "is wrong"}` };
    }
    const findings = leaveOut(schema);
    const broken = findings.find(({ rule }) => rule !== "schema-pattern");
    if (broken !== undefined) return { refused: broken.message.replace(/\.$/, "") };
    return { schema, hasUnmatched: findings.length > 0 };
  };
}

/** Writes a schema of draft `draft` (`Infinity`: from 2019-09 on) in the keywords of 2020-12. */
function convert(node: unknown, draft: number): unknown {
  if (!isObject(node)) return node;
  const { $schema: _, ...renamed } = rename(node, draft);
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(renamed)) {
    copy[keyword] = Array.isArray(value) ? [...value] : isObject(value) ? { ...value } : value;
  }
  for (const { keyword, schema, path } of subschemas(renamed)) {
    const [, step] = path;
    if (step === undefined) copy[keyword] = convert(schema, draft);
    else (copy[keyword] as Record<string | number, unknown>)[step] = convert(schema, draft);
  }
  return copy;
}

/** Rounds of leaving out, each of which may take as many keywords as one check tells of. */
const ROUNDS = 100;

/** Takes out of a copied schema what has no meaning in JSON Schema, and returns what else is wrong with it. */
function leaveOut(schema: SchemaNode): ReturnType<typeof checkSchema> {
  for (let round = 0; ; round += 1) {
    const findings = checkSchema(schema);
    const empty = findings.filter(({ rule }) => rule === "unknown-key" || rule === "schema-format");
    if (empty.length === 0 || round === ROUNDS) return findings;
    for (const { path } of empty) remove(schema, path);
  }
}

function remove(schema: SchemaNode, path: readonly (string | number)[]): void {
  let node: unknown = schema;
  for (const step of path.slice(0, -1)) node = (node as Readonly<Record<string | number, unknown>>)[step];
  if (isObject(node)) Reflect.deleteProperty(node, String(path.at(-1)));
}

function rename(node: SchemaNode, draft: number): SchemaNode {
  const { items, additionalItems, dependencies, ...rest } = node;
  // Up to draft 7 a reference stands for all around it.
  if (draft <= 7 && typeof node["$ref"] === "string") {
    const { $ref, $defs, definitions, description } = node;
    return JSON.parse(JSON.stringify({ $ref, $defs, definitions, description })) as SchemaNode;
  }
  const renamed: Record<string, unknown> = { ...rest };
  if (Array.isArray(items)) {
    renamed["prefixItems"] = items;
    if (additionalItems !== undefined) renamed["items"] = additionalItems;
  } else if (items !== undefined) renamed["items"] = items;
  if (isObject(dependencies)) {
    const entries = Object.entries(dependencies);
    renamed["dependentRequired"] = Object.fromEntries(entries.filter(([, needed]) => Array.isArray(needed)));
    renamed["dependentSchemas"] = Object.fromEntries(entries.filter(([, needed]) => !Array.isArray(needed)));
  }
  if (draft === 4) {
    for (const [limit, exclusive] of [
      ["minimum", "exclusiveMinimum"],
      ["maximum", "exclusiveMaximum"],
    ] as const) {
      if (renamed[exclusive] === true) [renamed[exclusive], renamed[limit]] = [renamed[limit], undefined];
      if (renamed[exclusive] === false) delete renamed[exclusive];
      if (renamed[limit] === undefined) delete renamed[limit];
    }
  }
  return renamed;
}
