import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import { createSafePattern } from "../../json/safe-pattern.ts";
import { toLatestDraft, withNull } from "../../json/schema-draft.ts";
import { addPatternNotes, PATTERN_NOTES } from "../../json/pattern-notes.ts";
import { FORMATS, mapSchemas, type SchemaNode } from "../../json/schema-keywords.ts";
import type { Check, Json } from "../../json/types.ts";
import { compareSchemas, type SchemaFinding, type Side } from "./compare-schemas.ts";
import { type Located, toPlace } from "./located.ts";

export type { SchemaFinding } from "./compare-schemas.ts";
export type { CompatRule } from "./rules.ts";
export type { Json } from "../../json/types.ts";

/** JSON Schema of draft 2020-12, 2019-09 or 07, as `$schema` says: an object, `true` or `false`. */
export type Schema = Readonly<Record<string, unknown>> | boolean;

/** Answer to the question if every value of the inner schema is a value of the outer one. */
export type Inclusion =
  /** Proven: it is. */
  | { readonly verdict: "included" }
  /** Shown: `witness` is a value of the inner schema and none of the outer one. `findings` say where and why. */
  | { readonly verdict: "excluded"; readonly witness: Json; readonly findings: readonly SchemaFinding[] }
  /** Neither: `reason` is where the proof stopped, and `findings` are all such places. */
  | { readonly verdict: "unknown"; readonly reason: string; readonly findings: readonly SchemaFinding[] };

/**
 * Compares two schemas: is every value of `inner` a value of `outer`? Both are validated as ajv does, with formats and
 * with patterns matched in linear time. @throws TypeError for what is no schema of a known draft.
 */
export function compare(inner: Schema, outer: Schema): Inclusion {
  const read = [readSchema(inner, "inner"), readSchema(outer, "outer")];
  const validators = read.map(({ check }) => check);
  // Without both validators no value can show anything, so that only a proof counts.
  const isChecked = !validators.includes(undefined);
  const [one, other] = read.map(({ place, check }): Side => ({
    place,
    check: (isChecked ? check : undefined) ?? (() => []),
  })) as [Side, Side];
  const comparison = compareSchemas(one, other);
  const { verdict, findings } = comparison;
  if (verdict === "included") return { verdict };
  if (verdict === "excluded") return { verdict, witness: comparison.witness, findings };
  return { verdict, reason: findings[0]?.message ?? "The schemas are too complex to be compared", findings };
}

/** Says if every value of `inner` is a value of `outer`; undefined where that can be neither proven nor shown. */
export function includes(outer: Schema, inner: Schema): boolean | undefined {
  const { verdict } = compare(inner, outer);
  return verdict === "unknown" ? undefined : verdict === "included";
}

function withPatternNotes(node: SchemaNode): SchemaNode {
  return "patternProperties" in node ? { ...node, ...PATTERN_NOTES } : node;
}

const INVALID = [{ path: "", message: "is not valid" }];

/** Reads a schema. Its check is undefined where a pattern cannot be matched in linear time. @throws TypeError */
function readSchema(schema: Schema, name: string): { readonly place: Located; readonly check: Check | undefined } {
  if (typeof schema !== "boolean" && !isObject(schema)) throw new TypeError(`The ${name} schema is no JSON Schema.`);
  let isMatched = true;
  const regExp = (source: string) => {
    const pattern = createSafePattern(source);
    if (!("refused" in pattern)) return pattern;
    isMatched = false;
    return { test: () => true, toString: () => source };
  };
  const ajv = new Ajv2020({
    allowMatchingProperties: true,
    code: { regExp: Object.assign(regExp, { code: "" }) },
    inlineRefs: false,
    logger: false,
    multipleOfPrecision: 9,
    ownProperties: true,
    strict: false,
  });
  addFormats.default(ajv, [...FORMATS]);
  addPatternNotes(ajv);
  // The proof follows the order of the service's validators, in which no alternative loses what a reference evaluates.
  const reference = ajv.getKeyword("$ref");
  if (typeof reference === "object") ajv.removeKeyword("$ref").addKeyword(reference);
  // Ajv compares all pairs of items.
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    before: "unevaluatedItems",
    type: "array",
    schemaType: "boolean",
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || new Set(items.map((item) => canonicalJson(item))).size === items.length,
  });
  try {
    const known = mapSchemas(toLatestDraft(schema), withNull) as Schema;
    const validate = ajv.compile(mapSchemas(known, withPatternNotes) as Schema);
    const check: Check = (value) => (validate(value) === true ? [] : INVALID);
    return { place: toPlace(known), check: isMatched ? check : undefined };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new TypeError(`The ${name} schema is no JSON Schema of a known draft: ${cause.message}`, { cause });
  }
}
