import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../host-api.ts";
import { isObject } from "../../json/is-object.ts";
import { nestsDeeper } from "../../json/nests-deeper.ts";
import { draftOf, toLatestDraft, withNull } from "../../json/schema-draft.ts";
import { FORMATS, KEYWORDS, mapSchemas, type SchemaNode } from "../../json/schema-keywords.ts";
import { compileSchema } from "../../versions/manifests/schema/compile-schema.ts";
import { evaluate } from "../schemas/evaluate.ts";
import { locate, toPlace } from "../schemas/located.ts";
import { type Fault, findFaults } from "../schemas/violations.ts";
import { createSafePattern } from "../../json/safe-pattern.ts";
import type { Check, Json, Violation } from "../../json/types.ts";
import { checkSchema } from "../../versions/manifests/schema/check-schema.ts";
import { explainErrors, toViolation as toSentence } from "../../versions/manifests/schema/explain-errors.ts";

/** Schema of another server in the words of draft 2020-12, or the reason why it cannot be read. */
export type ForeignSchema = { readonly schema: JsonSchema } | { readonly refused: string };

export type ReadForeignSchema = (declared: unknown) => ForeignSchema;

/** Refusal by a schema without the patterns that cannot be matched. */
const UNFIT: Violation = { path: "", message: "the value does not fit" };
/** Names of what ajv says about a keyword; of all others it is `limit`. */
const PARAMS: Readonly<Record<string, string>> = {
  type: "type",
  enum: "allowedValues",
  const: "allowedValue",
  multipleOf: "multipleOf",
  pattern: "pattern",
  format: "format",
  required: "missingProperty",
};
/** Containers in one another, beyond which a schema is not looked into. */
const NESTING_LIMIT = 100;
/** Drafts that are read as draft-07, which says the same of what both have, but for two keywords of draft-04. */
const BEFORE_DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-0([46])\/schema#?$/;
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const EXCLUSIVE = { minimum: "exclusiveMinimum", maximum: "exclusiveMaximum" } as const;

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
    const [, old] = BEFORE_DRAFT_07.exec(String(declared["$schema"])) ?? [];
    const known =
      old === undefined ? declared : { ...(old === "4" ? fromDraft04(declared) : declared), $schema: DRAFT_07 };
    if (draftOf(known) === undefined) {
      return { refused: `\`$schema\` names \`${String(declared["$schema"]).slice(0, 100)}\`` };
    }
    const schema = leaveOut(toLatestDraft(known));
    if (!isObject(schema) || ajv.validateSchema(schema) !== true) {
      const [first] = ajv.errors ?? [];
      return { refused: `it is no JSON Schema: \`${first?.instancePath ?? ""}\` ${first?.message ?? "is wrong"}` };
    }
    const findings = checkSchema(schema);
    const broken = findings.find(({ rule }) => rule !== "schema-pattern");
    if (broken !== undefined) return { refused: broken.message.replace(/\.$/, "") };
    return { schema };
  };
}

/**
 * Creates the check of a schema of another server. `decides` says of which values it can tell: not of texts that would have
 * to match a pattern for which there is no linear time. What a check needs is made when a value is not sure to be valid
 * without: compiling takes most of the time.
 */
export function createForeignCheck(schema: JsonSchema): {
  readonly check: Check;
  readonly decides: (value: Json) => boolean;
} {
  const place = lazily(() => toPlace(schema));
  const hasUnmatched = lazily(() => checkSchema(schema).length > 0);
  const validate = lazily(() => compileSchema(hasUnmatched() ? leaveOutPatterns(schema) : schema));
  return {
    decides: (value) => !hasUnmatched() || evaluate(value, place()) !== undefined,
    check(value, extent) {
      const faults = findFaults(value as Json, place());
      if (faults !== undefined) return faults.map(toViolation);
      const isDecided = !hasUnmatched() || evaluate(value as Json, place()) !== undefined;
      const violations = isDecided ? validate()(value, extent) : [];
      return violations.length === 0 && hasUnmatched() ? [UNFIT] : violations;
    },
  };
}

/** Names what is refused; the words are those of validators, and made when somebody reads them. */
function toViolation(fault: Fault): Violation {
  return {
    path: fault.path,
    get message() {
      return explainErrors([toError(fault)], {}).map((each) => toSentence(each).message)[0] ?? UNFIT.message;
    },
  };
}

/** Makes the error that ajv would report of the first keyword that refuses the value. */
function toError({ path, member, value, schema: { schema, root } }: Fault): ErrorObject {
  const parentSchema = isObject(schema) ? schema : {};
  const about = { instancePath: path, schemaPath: "", data: value, parentSchema };
  if (member !== undefined) {
    return { ...about, keyword: "additionalProperties", params: { additionalProperty: member }, schema: false };
  }
  const refuses = ([keyword, said]: [string, unknown]) => evaluate(value, locate({ [keyword]: said }, root)) === false;
  const [keyword, said] = Object.entries(parentSchema).find(refuses) ?? ["false schema", false];
  const named =
    isObject(value) && Array.isArray(said) ? said.find((name) => !Object.hasOwn(value, String(name))) : said;
  const param = PARAMS[keyword] ?? "limit";
  return { ...about, keyword, schema: said, params: { [param]: keyword === "required" ? named : said } };
}

/** Creates a value when it is first asked for, and keeps it. */
export function lazily<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: create() }).value;
}

/** Copies a schema without the patterns that cannot be matched in linear time. */
function leaveOutPatterns(schema: JsonSchema): JsonSchema {
  const isSafe = (pattern: unknown) => typeof pattern !== "string" || !("refused" in createSafePattern(pattern));
  const relaxed = mapSchemas(schema, ({ pattern, patternProperties, ...rest }) => ({
    ...rest,
    ...(pattern === undefined || !isSafe(pattern) ? {} : { pattern }),
    ...(isObject(patternProperties)
      ? { patternProperties: Object.fromEntries(Object.entries(patternProperties).filter(([name]) => isSafe(name))) }
      : {}),
  }));
  return isObject(relaxed) ? relaxed : schema;
}

/** Copies a schema of 2020-12 without keywords that mean nothing, and formats that nobody checks; `nullable` is read. */
function leaveOut(node: unknown): unknown {
  return mapSchemas(node, (schema) =>
    Object.fromEntries(
      Object.entries(withNull(schema)).filter(([keyword, value]) => {
        const isUnchecked = keyword === "format" && !FORMATS.some((format) => format === value);
        return keyword !== "$schema" && KEYWORDS["2020-12"].has(keyword) && !isUnchecked;
      }),
    ),
  );
}

/** Copies a schema of draft-04 with numbers as exclusive limits, where that draft has limits that are exclusive or not. */
function fromDraft04(node: SchemaNode): SchemaNode {
  const converted = mapSchemas(node, (schema) => {
    const copy: Record<string, unknown> = { ...schema };
    for (const [limit, exclusive] of Object.entries(EXCLUSIVE)) {
      const { [limit]: value, [exclusive]: isExclusive } = schema;
      if (typeof isExclusive === "boolean") delete copy[exclusive];
      if (isExclusive !== true || value === undefined) continue;
      delete copy[limit];
      copy[exclusive] = value;
    }
    return copy;
  });
  return isObject(converted) ? converted : node;
}
