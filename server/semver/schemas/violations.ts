import { isObject } from "../../json/is-object.ts";
import { toPointer } from "../../json/pointer.ts";
import type { Json } from "../../json/types.ts";
import { evaluate } from "./evaluate.ts";
import { createMemory, follow, locate, type Located, type SchemaObject } from "./located.ts";

/** Keywords with schemas inside that say by themselves which part of a value they are about. */
const PLAIN = new Set([
  "$ref",
  "additionalProperties",
  "allOf",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
]);
/** Keywords whose violations ajv places inside of them, or not, by which alternative comes nearest. */
const BRANCHING = new Set(
  (
    "$dynamicRef anyOf contains dependentSchemas else if maxContains minContains not oneOf propertyNames then " +
    "unevaluatedItems unevaluatedProperties"
  ).split(" "),
);

/** A part of a value that a schema refuses. */
export interface Fault {
  /** JSON Pointer to what is wrong, or to the object. */
  readonly path: string;
  /** Name of a member that the object may not have. */
  readonly member?: string;
  readonly value: Json;
  /** The schema that refuses it by keywords about the value as a whole. */
  readonly schema: Located;
}

/**
 * Finds the parts of a value that a schema refuses, one for each place that ajv names; undefined where it takes ajv to tell.
 * Compiling a validator takes much longer than this.
 */
export function findFaults(value: Json, located: Located): readonly Fault[] | undefined {
  const faults = new Map<string, Fault>();
  return collect({ value, schema: located, path: "" }, faults) ? [...faults.values()] : undefined;
}

/** Adds what is refused, once for each path; false where that is not certain. */
function collect(part: Fault, faults: Map<string, Fault>): boolean {
  const { value, schema: located, path } = part;
  const add = (fault: Fault) => void (faults.has(path) || faults.set(path, fault));
  const answer = evaluate(value, located);
  if (answer !== false) return answer === true;
  const { schema } = located;
  if (typeof schema === "boolean") {
    add(part);
    return true;
  }
  const { own, branching } = divide(located, schema);
  if (evaluate(value, branching) !== true) return false;
  const isRight = evaluate(value, own);
  if (isRight === false) add({ path, value, schema: own });
  if (isRight === undefined) return false;
  const parts = Array.isArray(value)
    ? listItems(value as readonly Json[], located, schema)
    : isObject(value)
      ? listMembers(value as Readonly<Record<string, Json>>, located, schema)
      : [];
  const inPlace = listInPlace(located, schema)?.map((inner): Fault => ({ value, schema: inner, path: "" }));
  return (
    parts !== undefined &&
    inPlace !== undefined &&
    [...parts, ...inPlace].every((inner) => collect({ ...inner, path: path + inner.path }, faults))
  );
}

function listInPlace({ root }: Located, schema: SchemaObject): readonly Located[] | undefined {
  const all: readonly unknown[] = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  const inPlace = all.map((inner) => locate(inner, root));
  if (!("$ref" in schema)) return inPlace;
  const target = typeof schema["$ref"] === "string" ? follow(schema["$ref"], root) : undefined;
  return target && [...inPlace, target];
}

function listItems(items: readonly Json[], { root }: Located, schema: SchemaObject): readonly Fault[] | undefined {
  const { prefixItems, items: rest = true } = schema;
  const prefix: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  // Ajv names the list behind a prefix, and otherwise each of the items.
  if (rest === false && items.length > prefix.length) return undefined;
  return items.map((value, index) => ({
    value,
    schema: locate(index < prefix.length ? prefix[index] : rest, root),
    path: toPointer([index]),
  }));
}

function listMembers(
  members: Readonly<Record<string, Json>>,
  { root }: Located,
  schema: SchemaObject,
): readonly Fault[] | undefined {
  const { properties, patternProperties, additionalProperties = true } = schema;
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  const parts: Fault[] = [];
  for (const [name, value] of Object.entries(members)) {
    const path = toPointer([name]);
    const add = (inner: unknown) => parts.push({ value, schema: locate(inner, root), path });
    const isNamed = isObject(properties) && Object.hasOwn(properties, name);
    if (isNamed) add(properties[name]);
    let isMatched = false;
    for (const [pattern, inner] of patterns) {
      const hit = root.matches(pattern, name);
      if (hit === undefined) return undefined;
      if (hit) add(inner);
      isMatched ||= hit;
    }
    if (isNamed || isMatched) continue;
    // A member that may not be there is a fault of the object.
    if (additionalProperties !== false) add(additionalProperties);
    else parts.push({ value, schema: locate(false, root), path: "", member: name });
  }
  return parts;
}

interface Division {
  /** Keywords that are about the value as a whole. */
  readonly own: Located;
  readonly branching: Located;
}

const divisions = createMemory<Division>();

function divide(located: Located, schema: SchemaObject): Division {
  const known = divisions.get(located);
  if (known !== undefined) return known;
  const only = (isWanted: (keyword: string) => boolean) =>
    locate(Object.fromEntries(Object.entries(schema).filter(([keyword]) => isWanted(keyword))), located.root);
  const division = {
    own: only((keyword) => !PLAIN.has(keyword) && !BRANCHING.has(keyword)),
    branching: only((keyword) => BRANCHING.has(keyword)),
  };
  divisions.set(located, division);
  return division;
}
