import { isObject } from "../is-object.ts";
import type { Json } from "../store/store.ts";
import { isMultiple } from "./bounds.ts";
import { type Conjunction, follow, locate, type Located, type SchemaObject } from "./located.ts";
import type { Matcher } from "./matcher.ts";
import { isAmong, isSame } from "./same.ts";
import { typeOf } from "./shape.ts";

const DEPTH_LIMIT = 128;
/** Schemas looked at for one value: references can make them exponentially many. */
const STEP_LIMIT = 2_000;

interface Steps {
  left: number;
}

/**
 * Whether the value meets the schema; undefined where this cannot tell (formats, what is unevaluated, nesting without
 * end). It looks at one value at a time, without compiling anything, as the parts of a comparison are many and small.
 */
export function evaluate(value: Json, located: Located): boolean | undefined {
  return visit(value, located, { left: STEP_LIMIT }, 0);
}

function visit(value: Json, { schema, root }: Located, steps: Steps, depth: number): Answer {
  if (typeof schema === "boolean") return schema;
  if (depth > DEPTH_LIMIT || --steps.left < 0) return undefined;
  const at = (inner: unknown, part: Json = value) => visit(part, locate(inner, root), steps, depth + 1);
  let answer: Answer = true;
  for (const part of partsOf(schema, value, root, at)) {
    if (part === false) return false;
    if (part === undefined) answer = undefined;
  }
  return answer;
}

/** Whether so many schemas apply to the value that checking it would take long. */
export function isCostly(value: Json, located: Located): boolean {
  const steps = { left: STEP_LIMIT };
  visit(value, located, steps, 0);
  return steps.left < 0;
}

export function evaluateAll(value: Json, conjunction: Conjunction): boolean | undefined {
  return all(conjunction.map((located) => evaluate(value, located)));
}

type Answer = boolean | undefined;
type At = (inner: unknown, part?: Json) => Answer;

function* partsOf(schema: SchemaObject, value: Json, root: Located["root"], at: At): Generator<Answer> {
  const { type } = schema;
  if (type !== undefined) yield [type].flat().some((name) => hasType(value, name));
  if ("const" in schema) yield isSame(value, schema["const"] as Json);
  if (Array.isArray(schema["enum"])) yield isAmong(schema["enum"] as readonly Json[], value);
  if (typeof schema["$ref"] === "string") {
    const target = follow(schema["$ref"], root);
    yield target === undefined ? undefined : at(target.schema);
  }
  if ("$dynamicRef" in schema) yield undefined;
  if ("unevaluatedItems" in schema && Array.isArray(value)) yield undefined;
  if ("unevaluatedProperties" in schema && isObject(value)) yield undefined;
  if (Array.isArray(schema["allOf"])) yield all(schema["allOf"].map((inner) => at(inner)));
  if (Array.isArray(schema["anyOf"])) yield any(schema["anyOf"].map((inner) => at(inner)));
  if (Array.isArray(schema["oneOf"])) yield one(schema["oneOf"].map((inner) => at(inner)));
  if ("not" in schema) yield not(at(schema["not"]));
  if ("if" in schema) {
    const condition = at(schema["if"]);
    const [then, otherwise] = [at(schema["then"] ?? true), at(schema["else"] ?? true)];
    yield condition === undefined ? (then === otherwise ? then : undefined) : condition ? then : otherwise;
  }
  if (typeof value === "number") yield* numberParts(schema, value);
  if (typeof value === "string") yield* stringParts(schema, value, root.matches);
  if (Array.isArray(value)) yield* arrayParts(schema, value as readonly Json[], at);
  else if (isObject(value)) {
    yield* objectParts(schema, value as Readonly<Record<string, Json>>, at, root.matches);
  }
}

function* numberParts(schema: SchemaObject, value: number): Generator<Answer> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number") yield value >= minimum;
  if (typeof maximum === "number") yield value <= maximum;
  if (typeof exclusiveMinimum === "number") yield value > exclusiveMinimum;
  if (typeof exclusiveMaximum === "number") yield value < exclusiveMaximum;
  if (typeof multipleOf === "number") yield isMultiple(value, multipleOf);
}

function* stringParts(schema: SchemaObject, value: string, matches: Matcher): Generator<Answer> {
  const { minLength, maxLength, pattern, format } = schema;
  const length = typeof minLength === "number" || typeof maxLength === "number" ? [...value].length : 0;
  if (typeof minLength === "number") yield length >= minLength;
  if (typeof maxLength === "number") yield length <= maxLength;
  if (typeof pattern === "string") yield matches(pattern, value);
  if (typeof format === "string") yield undefined;
}

function* arrayParts(schema: SchemaObject, value: readonly Json[], at: At): Generator<Answer> {
  const { minItems, maxItems, uniqueItems, prefixItems, minContains = 1, maxContains = Infinity } = schema;
  if (typeof minItems === "number") yield value.length >= minItems;
  if (typeof maxItems === "number") yield value.length <= maxItems;
  if (uniqueItems === true)
    yield value.every((item, index) => !value.slice(0, index).some((other) => isSame(item, other)));
  const prefix = Array.isArray(prefixItems) ? prefixItems : [];
  yield all(value.slice(0, prefix.length).map((item, index) => at(prefix[index], item)));
  if ("items" in schema) yield all(value.slice(prefix.length).map((item) => at(schema["items"], item)));
  if ("contains" in schema) {
    const found = value.map((item) => at(schema["contains"], item));
    const sure = found.filter((answer) => answer === true).length;
    const possible = sure + found.filter((answer) => answer === undefined).length;
    yield possible < Number(minContains) || sure > Number(maxContains)
      ? false
      : sure >= Number(minContains) && possible <= Number(maxContains)
        ? true
        : undefined;
  }
}

function* objectParts(
  schema: SchemaObject,
  value: Readonly<Record<string, Json>>,
  at: At,
  matches: Matcher,
): Generator<Answer> {
  const names = Object.keys(value);
  const { required, minProperties, maxProperties, properties, patternProperties } = schema;
  if (Array.isArray(required)) yield required.every((name) => Object.hasOwn(value, String(name)));
  if (typeof minProperties === "number") yield names.length >= minProperties;
  if (typeof maxProperties === "number") yield names.length <= maxProperties;
  if ("propertyNames" in schema) yield all(names.map((name) => at(schema["propertyNames"], name)));
  const own = isObject(properties) ? properties : {};
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  for (const name of names) {
    const member = value[name] as Json;
    if (Object.hasOwn(own, name)) yield at(own[name], member);
    let isMatched: Answer = Object.hasOwn(own, name);
    for (const [pattern, inner] of patterns) {
      const hit = matches(pattern, name);
      if (hit === true) yield at(inner, member);
      if (hit === undefined) yield undefined;
      isMatched = any([isMatched, hit]);
    }
    if ("additionalProperties" in schema && isMatched !== true) {
      const answer = at(schema["additionalProperties"], member);
      yield isMatched === undefined && answer === false ? undefined : answer;
    }
  }
  for (const [name, inner] of Object.entries(isObject(schema["dependentSchemas"]) ? schema["dependentSchemas"] : {})) {
    if (Object.hasOwn(value, name)) yield at(inner);
  }
  for (const [name, needed] of Object.entries(
    isObject(schema["dependentRequired"]) ? schema["dependentRequired"] : {},
  )) {
    if (Object.hasOwn(value, name) && Array.isArray(needed))
      yield needed.every((item) => Object.hasOwn(value, String(item)));
  }
}

function hasType(value: Json, name: unknown): boolean {
  return name === "integer" ? typeof value === "number" && Number.isInteger(value) : typeOf(value) === name;
}

function all(answers: readonly Answer[]): Answer {
  return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
}

function any(answers: readonly Answer[]): Answer {
  return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
}

function one(answers: readonly Answer[]): Answer {
  const sure = answers.filter((answer) => answer === true).length;
  if (sure > 1) return false;
  return answers.includes(undefined) ? undefined : sure === 1;
}

function not(answer: Answer): Answer {
  return answer === undefined ? undefined : !answer;
}
