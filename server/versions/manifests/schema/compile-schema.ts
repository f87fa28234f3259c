import type { Check, Violation } from "../../../json/types.ts";
import addFormats from "ajv-formats";
import { _, Ajv2020, type ErrorObject, type KeywordCxt, type ValidateFunction } from "ajv/dist/2020.js";
import { canonicalJson } from "../../../json/canonical-json.ts";
import { CairnError } from "../../../errors.ts";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { explainErrors, toViolation } from "./explain-errors.ts";
import { countParts } from "./count-parts.ts";
import { createFuel, type Fuel } from "../../../json/fuel.ts";
import { toLatestDraft } from "../../../json/schema-draft.ts";
import { FORMATS, type SchemaNode, subschemas } from "../../../json/schema-keywords.ts";
import { createMemory, type Memory } from "./remember-references.ts";
import { addPatternNotes, PATTERN_NOTES } from "../../../json/pattern-notes.ts";
import { createSafePattern } from "../../../json/safe-pattern.ts";

const MAX_VIOLATIONS = 20;
/**
 * Finding all that is wrong may find as much as a value has parts times what the schema has. Where that could be more,
 * and where references make it more, the first thing that is wrong has to do.
 */
const MAX_ERRORS_FOUND = 100_000;
const STEPS_TO_EXPLAIN = 1_000_000;
const NONE: readonly Violation[] = Object.freeze([]);
const FUEL = "x-fuel";
const STEPS_PER_REFERENCE = 20;

/**
 * Compiles a schema that `checkSchema` has found nothing wrong with; throws ajv's error when it still does not compile.
 * Each schema has an ajv of its own, without its `$id`: an ajv keeps all it ever compiled, and answers a second schema
 * of the same `$id` with the first.
 */
export function compileSchema(written: JsonSchema): Check {
  const schema = toLatestDraft(written);
  const compilable = toCompilable(schema, true);
  const maxParts = MAX_ERRORS_FOUND / countParts(schema);
  const fuel = createFuel();
  const memory = createMemory(fuel);
  const options = {
    hasUnevaluated: mentions(schema, ["unevaluatedProperties", "unevaluatedItems"]),
  };
  const compile = (allErrors: boolean) => createAjv(fuel, memory, { ...options, allErrors }).compile(compilable);
  const run = (by: ValidateFunction, value: unknown, steps?: number) => {
    fuel.refill(steps);
    try {
      return findErrors(by, value);
    } finally {
      memory.forget();
    }
  };
  const validate = compile(false);
  let validateAll: ValidateFunction | undefined;
  return (value, extent) => {
    const errors = run(validate, value);
    if (errors?.length === 0) return NONE;
    if (!errors || extent === "first" || !isWithin(value, maxParts)) return explain(errors, compilable);
    validateAll ??= compile(true);
    return explain(run(validateAll, value, STEPS_TO_EXPLAIN) ?? errors, compilable);
  };
}

type Errors = readonly ErrorObject[];

/** Runs ajv; undefined when the value is built so that checking would take too long. */
function findErrors(validate: ValidateFunction, value: unknown): Errors | undefined {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (error) {
    // No fuel left, a stack overflow, or nesting that canonical JSON refuses.
    if (error instanceof RangeError || error instanceof CairnError) return undefined;
    throw error;
  }
}

function explain(errors: Errors | undefined, root: SchemaNode): readonly Violation[] {
  if (!errors) return [{ path: "", message: "the value nests too deeply, or is too large, to be checked" }];
  return explainErrors(errors, root).slice(0, MAX_VIOLATIONS).map(toViolation);
}

interface AjvOptions {
  readonly allErrors: boolean;
  /** True if the schema constrains members or items that none of its parts evaluates. */
  readonly hasUnevaluated: boolean;
}

function createAjv(fuel: Fuel, memory: Memory, { allErrors, hasUnevaluated }: AjvOptions): Ajv2020 {
  const safe = Object.assign(
    (pattern: string) => {
      const compiled = createSafePattern(pattern, fuel);
      if ("refused" in compiled) throw new Error(`The pattern \`${pattern}\` ${compiled.refused}.`);
      return compiled;
    },
    { code: "" },
  );
  const ajv = new Ajv2020({
    allErrors,
    // Ajv compares property names with patterns by the engine that backtracks.
    allowMatchingProperties: true,
    // Ajv's optimiser takes as long as the rest of compiling, and what it saves of a check is within V8's own.
    code: { regExp: safe, optimize: false },
    // Inlining a definition wherever it is used makes code that is the product of both.
    inlineRefs: false,
    logger: false,
    meta: false,
    multipleOfPrecision: 9,
    // Else `toString` is a property of every object.
    ownProperties: true,
    strict: true,
    strictRequired: false,
    strictTuples: false,
    strictTypes: false,
    validateSchema: false,
    verbose: true,
  });
  addFormats.default(ajv, [...FORMATS]);
  // With it, ajv tries the other alternatives after one that fits.
  if (!hasUnevaluated) ajv.opts.unevaluated = false;
  memory.teach(ajv);
  // Ajv resolves anchors, but its strict mode does not know the keyword.
  ajv.addVocabulary(["$anchor"]);
  // After `prefixItems`, ajv passes over `contains` for an empty list: it takes "no first item" for a failure told before.
  const contains = ajv.getKeyword("contains");
  if (typeof contains === "object") ajv.removeKeyword("contains").addKeyword({ ...contains, before: "prefixItems" });
  // Ajv compares all pairs of items.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || new Set(items.map((item) => canonicalJson(item))).size === items.length,
  });
  compareValuesAsJson(ajv);
  addPatternNotes(ajv);
  // What grows exponentially grows through references: each costs a little, so the sum is bounded.
  ajv.addKeyword({
    keyword: FUEL,
    before: "$dynamicAnchor",
    code: ({ gen }) => {
      const spend = gen.scopeValue("func", { ref: fuel.spend });
      gen.code(_`${spend}(${STEPS_PER_REFERENCE})`);
    },
  });
  return ajv;
}

/** A copy for ajv: without identity and annotations of one's own, and with fuel burnt at every reference. */
function toCompilable(node: SchemaNode, isRoot = false): SchemaNode {
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword.startsWith("x-") || (isRoot && (keyword === "$id" || keyword === "$schema"))) continue;
    copy[keyword] = Array.isArray(value) ? [...value] : isObject(value) ? { ...value } : value;
  }
  if ("$ref" in node) copy[FUEL] = true;
  if ("patternProperties" in node) Object.assign(copy, PATTERN_NOTES);
  for (const { schema, path } of subschemas(node)) {
    const [keyword = "", step] = path;
    const inner = isObject(schema) ? toCompilable(schema) : schema;
    if (step === undefined) copy[keyword] = inner;
    else (copy[keyword] as Record<string | number, unknown>)[step] = inner;
  }
  return copy;
}

/** Checks that one of the keywords stands anywhere in a schema. */
function mentions(node: unknown, keywords: readonly string[]): boolean {
  if (!isObject(node)) return false;
  return (
    keywords.some((keyword) => keyword in node) || subschemas(node).some(({ schema }) => mentions(schema, keywords))
  );
}

function isWithin(value: unknown, maxParts: number): boolean {
  let left = maxParts;
  const todo = [value];
  while (todo.length > 0) {
    const item = todo.pop();
    if (typeof item !== "object" || item === null) continue;
    // Most of what is too large is one list or one object, whose members need not be read then.
    left -= Array.isArray(item) ? item.length : Object.keys(item).length;
    if (left < 0) return false;
    for (const part of Object.values(item)) todo.push(part);
  }
  return true;
}

/**
 * Lets `const` and `enum` compare lists and objects as JSON. Ajv's own comparison asks the values themselves, so that a
 * caller's object with a member `toString` would end a call with a TypeError, and one with `constructor` is like no other.
 */
function compareValuesAsJson(ajv: Ajv2020): void {
  for (const keyword of ["const", "enum"]) {
    const definition = ajv.getKeyword(keyword);
    if (typeof definition !== "object" || !("code" in definition)) continue;
    const { code } = definition;
    ajv.removeKeyword(keyword).addKeyword({
      ...definition,
      code: (context: KeywordCxt, ruleType?: string) => {
        const values: readonly unknown[] = keyword === "const" ? [context.schema] : (context.schema as unknown[]);
        if (!values.some((value) => typeof value === "object" && value !== null)) return code(context, ruleType);
        const texts = new Set(values.map((value) => canonicalJson(value)));
        const isAmong = context.gen.scopeValue("func", { ref: (data: unknown) => texts.has(canonicalJson(data)) });
        context.fail(_`!${isAmong}(${context.data})`);
      },
    });
  }
}
