import type { Json } from "../../json/types.ts";
import { isObject } from "../../json/is-object.ts";
import { isMultiple } from "./bounds.ts";
import { follow, locate, type Located, type Root, type SchemaObject, type Matcher } from "./located.ts";
import { hasFormat } from "./patterns/texts.ts";
import { isAmong, isSame } from "./same.ts";
import { typeOf } from "./shape.ts";

/** Number of schemas that may still be visited. */
export interface Steps {
  left: number;
}

/** Undefined where it cannot be told. */
export type Answer = boolean | undefined;
/** One keyword, for values of one type. */
export type Constraint<Value extends Json> = (value: Value, steps: Steps, depth: number) => Answer;
/** Check of a value against a nested schema. */
type At = Constraint<Json>;
export type Visit = (value: Json, located: Located, steps: Steps, depth: number) => Answer;
export type JsonObject = Readonly<Record<string, Json>>;

/** A schema's keywords, read once: many values are held against each. */
export interface Constraints {
  readonly all: readonly Constraint<Json>[];
  readonly number: readonly Constraint<number>[];
  readonly string: readonly Constraint<string>[];
  readonly array: readonly Constraint<readonly Json[]>[];
  readonly object: readonly Constraint<JsonObject>[];
}

/** `visit` looks further in. */
export function toConstraints(schema: SchemaObject, root: Root, visit: Visit): Constraints {
  const at = (inner: unknown): At => {
    const located = locate(inner, root);
    return (value, steps, depth) => visit(value, located, steps, depth + 1);
  };
  const { $ref: reference } = schema;
  const target = typeof reference === "string" ? follow(reference, root) : undefined;
  return {
    all: [...generalConstraints(schema, target === undefined ? undefined : at(target.schema), at)],
    number: [...numberConstraints(schema)],
    string: [...stringConstraints(schema, root.matches)],
    array: [...arrayConstraints(schema, at)],
    object: [...objectConstraints(schema, at, root.matches)],
  };
}

function* generalConstraints(
  schema: SchemaObject,
  target: At | undefined,
  at: (inner: unknown) => At,
): Generator<Constraint<Json>> {
  const { type, const: only, enum: values } = schema;
  if (type !== undefined) {
    const names = [type].flat();
    yield (value) => names.some((name) => hasType(value, name));
  }
  if ("const" in schema) yield (value) => isSame(value, only as Json);
  if (Array.isArray(values)) yield (value) => isAmong(values as readonly Json[], value);
  if (typeof schema["$ref"] === "string") yield target ?? unknown;
  if ("$dynamicRef" in schema) yield unknown;
  for (const [keyword, judge] of [
    ["allOf", all],
    ["anyOf", any],
    ["oneOf", one],
  ] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    const each = branches.map(at);
    yield (value, steps, depth) => judge(each.map((branch) => branch(value, steps, depth)));
  }
  if ("not" in schema) {
    const inner = at(schema["not"]);
    yield (value, steps, depth) => not(inner(value, steps, depth));
  }
  if ("if" in schema) {
    const [condition, then, otherwise] = [at(schema["if"]), at(schema["then"] ?? true), at(schema["else"] ?? true)];
    yield (value, steps, depth) => {
      const isMet = condition(value, steps, depth);
      const [yes, no] = [then(value, steps, depth), otherwise(value, steps, depth)];
      return isMet === undefined ? (yes === no ? yes : undefined) : isMet ? yes : no;
    };
  }
}

function* numberConstraints(schema: SchemaObject): Generator<Constraint<number>> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number") yield (value) => value >= minimum;
  if (typeof maximum === "number") yield (value) => value <= maximum;
  if (typeof exclusiveMinimum === "number") yield (value) => value > exclusiveMinimum;
  if (typeof exclusiveMaximum === "number") yield (value) => value < exclusiveMaximum;
  if (typeof multipleOf === "number") yield (value) => isMultiple(value, multipleOf);
}

function* stringConstraints(schema: SchemaObject, matches: Matcher): Generator<Constraint<string>> {
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof minLength === "number") yield (value) => !isShorter(value, minLength);
  if (typeof maxLength === "number") yield (value) => isShorter(value, maxLength + 1);
  if (typeof pattern === "string") yield (value) => matches(pattern, value);
  if (typeof format === "string") yield (value) => hasFormat(format, value);
}

function* arrayConstraints(schema: SchemaObject, at: (inner: unknown) => At): Generator<Constraint<readonly Json[]>> {
  const { minItems, maxItems, uniqueItems, prefixItems, minContains = 1, maxContains = Infinity } = schema;
  if ("unevaluatedItems" in schema) yield unknown;
  if (typeof minItems === "number") yield (value) => value.length >= minItems;
  if (typeof maxItems === "number") yield (value) => value.length <= maxItems;
  if (uniqueItems === true) {
    yield (value) => value.every((item, index) => !value.slice(0, index).some((other) => isSame(item, other)));
  }
  const prefix = (Array.isArray(prefixItems) ? prefixItems : []).map(at);
  yield (value, steps, depth) =>
    all(prefix.slice(0, value.length).map((inner, index) => inner(value[index] as Json, steps, depth)));
  if ("items" in schema) {
    const rest = at(schema["items"]);
    yield (value, steps, depth) => all(value.slice(prefix.length).map((item) => rest(item, steps, depth)));
  }
  if ("contains" in schema) {
    const inner = at(schema["contains"]);
    const [least, most] = [Number(minContains), Number(maxContains)];
    yield (value, steps, depth) => {
      const found = value.map((item) => inner(item, steps, depth));
      const sure = found.filter((answer) => answer === true).length;
      const possible = sure + found.filter((answer) => answer === undefined).length;
      if (possible < least || sure > most) return false;
      return sure >= least && possible <= most ? true : undefined;
    };
  }
}

function* objectConstraints(
  schema: SchemaObject,
  at: (inner: unknown) => At,
  matches: Matcher,
): Generator<Constraint<JsonObject>> {
  const { required, minProperties, maxProperties, dependentSchemas, dependentRequired } = schema;
  if ("unevaluatedProperties" in schema) yield unknown;
  if (Array.isArray(required)) yield hasAll(required);
  if (typeof minProperties === "number") yield (value) => Object.keys(value).length >= minProperties;
  if (typeof maxProperties === "number") yield (value) => Object.keys(value).length <= maxProperties;
  if ("propertyNames" in schema) {
    const inner = at(schema["propertyNames"]);
    yield (value, steps, depth) => all(Object.keys(value).map((name) => inner(name, steps, depth)));
  }
  yield toMemberConstraint(schema, at, matches);
  for (const [name, inner] of Object.entries(isObject(dependentSchemas) ? dependentSchemas : {})) {
    const dependent = at(inner);
    yield (value, steps, depth) => !Object.hasOwn(value, name) || dependent(value, steps, depth);
  }
  for (const [name, needed] of Object.entries(isObject(dependentRequired) ? dependentRequired : {})) {
    if (!Array.isArray(needed)) continue;
    const isMet = hasAll(needed);
    yield (value, steps, depth) => !Object.hasOwn(value, name) || isMet(value, steps, depth);
  }
}

function toMemberConstraint(
  schema: SchemaObject,
  at: (inner: unknown) => At,
  matches: Matcher,
): Constraint<JsonObject> {
  const { properties, patternProperties, additionalProperties } = schema;
  const own = new Map(Object.entries(isObject(properties) ? properties : {}).map(([name, inner]) => [name, at(inner)]));
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {}).map(
    ([pattern, inner]) => [pattern, at(inner)] as const,
  );
  const rest = "additionalProperties" in schema ? at(additionalProperties) : undefined;
  return (value, steps, depth) => {
    let answer: Answer = true;
    for (const name of Object.keys(value)) {
      const part = meetsMember(name, value[name] as Json, steps, depth);
      if (part === false) return false;
      if (part === undefined) answer = undefined;
    }
    return answer;
  };

  function meetsMember(name: string, member: Json, steps: Steps, depth: number): Answer {
    const named = own.get(name);
    let answer = named === undefined ? true : named(member, steps, depth);
    let isMatched: Answer = named !== undefined;
    for (const [pattern, inner] of patterns) {
      if (answer === false) return false;
      const hit = matches(pattern, name);
      if (hit !== false) answer = all([answer, hit === true ? inner(member, steps, depth) : undefined]);
      isMatched = any([isMatched, hit]);
    }
    if (answer === false || rest === undefined || isMatched === true) return answer;
    const other = rest(member, steps, depth);
    return all([answer, isMatched === undefined && other === false ? undefined : other]);
  }
}

function hasAll(names: readonly unknown[]): Constraint<JsonObject> {
  return (value) => names.every((name) => Object.hasOwn(value, String(name)));
}

function unknown(): undefined {
  return undefined;
}

/** In characters, of which some take two places: they are counted only where that matters. */
function isShorter(text: string, than: number): boolean {
  if (text.length < than) return true;
  return text.length < 2 * than && [...text].length < than;
}

function hasType(value: Json, name: unknown): boolean {
  return name === "integer" ? typeof value === "number" && Number.isInteger(value) : typeOf(value) === name;
}

export function all(answers: readonly Answer[]): Answer {
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
