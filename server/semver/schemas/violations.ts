import { isObject } from "../../json/is-object.ts";
import { toPointer } from "../../json/pointer.ts";
import type { Json, Violation } from "../../json/types.ts";
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

/**
 * Finds the parts of a value that a schema refuses, at the places that ajv names; undefined where it takes ajv to tell.
 * Compiling a validator takes much longer than this.
 */
export function findViolations(value: Json, located: Located): readonly Violation[] | undefined {
  const paths = new Set<string>();
  if (!collect(value, located, "", paths)) return undefined;
  return [...paths].map((path) => ({ path, message: "is not valid" }));
}

/** Adds the paths of what is refused; false where that is not certain. */
function collect(value: Json, located: Located, path: string, paths: Set<string>): boolean {
  const answer = evaluate(value, located);
  if (answer !== false) return answer === true;
  const { schema } = located;
  if (typeof schema === "boolean") {
    paths.add(path);
    return true;
  }
  const { own, branching } = divide(located, schema);
  if (evaluate(value, branching) !== true) return false;
  const isRight = evaluate(value, own);
  if (isRight === false) paths.add(path);
  if (isRight === undefined) return false;
  const parts = Array.isArray(value)
    ? listItems(value as readonly Json[], located, schema)
    : isObject(value)
      ? listMembers(value as Readonly<Record<string, Json>>, located, schema)
      : [];
  const inPlace = listInPlace(located, schema)?.map((inner): Part => ({ value, schema: inner, path: "" }));
  return (
    parts !== undefined &&
    inPlace !== undefined &&
    [...parts, ...inPlace].every((part) => collect(part.value, part.schema, path + part.path, paths))
  );
}

/** A part of a value, and a schema for it. */
interface Part {
  readonly value: Json;
  readonly schema: Located;
  /** From the value. */
  readonly path: string;
}

function listInPlace({ root }: Located, schema: SchemaObject): readonly Located[] | undefined {
  const all: readonly unknown[] = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  const inPlace = all.map((inner) => locate(inner, root));
  if (!("$ref" in schema)) return inPlace;
  const target = typeof schema["$ref"] === "string" ? follow(schema["$ref"], root) : undefined;
  return target && [...inPlace, target];
}

function listItems(items: readonly Json[], { root }: Located, schema: SchemaObject): readonly Part[] | undefined {
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
): readonly Part[] | undefined {
  const { properties, patternProperties, additionalProperties = true } = schema;
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  const parts: Part[] = [];
  for (const [name, value] of Object.entries(members)) {
    const path = toPointer([name]);
    const add = (inner: unknown, at = path) => parts.push({ value, schema: locate(inner, root), path: at });
    const isNamed = isObject(properties) && Object.hasOwn(properties, name);
    if (isNamed) add(properties[name]);
    let isMatched = false;
    for (const [pattern, inner] of patterns) {
      const hit = root.matches(pattern, name);
      if (hit === undefined) return undefined;
      if (hit) add(inner);
      isMatched ||= hit;
    }
    // A member that may not be there is a fault of the object.
    if (!isNamed && !isMatched) add(additionalProperties, additionalProperties === false ? "" : path);
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
