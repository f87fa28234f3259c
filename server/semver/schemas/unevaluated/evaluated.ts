import { isObject } from "../../../json/is-object.ts";
import { createMemory, follow, locate, type Located, type SchemaObject } from "../located.ts";

/** References followed, and lists nested, to find what is evaluated. */
const DEPTH_LIMIT = 16;
/** Keywords that evaluate members or items for some values only. */
const SOMETIMES = ["$dynamicRef", "if", "dependentSchemas", "contains"];

/** The members and items that a schema evaluates, so that `unevaluatedProperties` and `unevaluatedItems` pass over them. */
export interface Evaluated {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  readonly hasAllMembers: boolean;
  /** Number of items from the first on; all of them is Infinity. */
  readonly items: number;
}

/**
 * Finds the parts that the schema and everything that always applies with it (`$ref`, `allOf`) evaluate, beside its
 * keywords of unevaluated parts; undefined where that differs between values.
 */
export function findEvaluated(located: Located, depth = 0): Evaluated | undefined {
  const memory = depth > 0 ? inside : outermost;
  const known = memory.get(located);
  if (known !== undefined) return known.found;
  // A schema that leads back to itself for the same value evaluates nothing that can be told.
  memory.set(located, { found: undefined });
  const found = search(located, depth);
  memory.set(located, { found });
  return found;
}

/** Schemas evaluate the parts that `unevaluated*` is about only inside another. */
const [outermost, inside] = [createMemory<Known>(), createMemory<Known>()];

interface Known {
  readonly found: Evaluated | undefined;
}

function search(located: Located, depth: number): Evaluated | undefined {
  const { schema } = located;
  if (typeof schema === "boolean") return NONE;
  if (depth > DEPTH_LIMIT || SOMETIMES.some((keyword) => keyword in schema)) return undefined;
  const always = listAlways(schema, located)?.map((other) => findEvaluated(other, depth + 1));
  const others = always && [
    ...always,
    ...["anyOf", "oneOf"].map((keyword) => findAlike(schema[keyword] ?? [true], located, depth + 1)),
  ];
  if (others?.every((other) => other !== undefined) !== true) return undefined;
  return others.reduce(join, toOwn(schema, depth));
}

/** Finds the parts that each of the alternatives evaluates, of which at least one holds; undefined where they differ. */
function findAlike(alternatives: unknown, { root }: Located, depth: number): Evaluated | undefined {
  if (!Array.isArray(alternatives)) return undefined;
  const each = alternatives.map((inner) => findEvaluated(locate(inner, root), depth));
  const [first] = each;
  // A variable that says "all items" is read as 1 by ajv.
  const isAlike = each.every((other) => JSON.stringify(other) === JSON.stringify(first));
  return isAlike && first?.items !== Infinity ? first : undefined;
}

/** Lists the schemas that always apply with a schema; undefined where one is missing. */
function listAlways(schema: SchemaObject, { root }: Located): readonly Located[] | undefined {
  const others = Array.isArray(schema["allOf"]) ? schema["allOf"].map((inner) => locate(inner, root)) : [];
  if (typeof schema["$ref"] !== "string") return others;
  const target = follow(schema["$ref"], root);
  return target && [...others, target];
}

/** The parts that the schema itself evaluates; its own keywords of unevaluated parts count inside another only. */
export function toOwn(schema: SchemaObject, depth: number): Evaluated {
  return {
    names: isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [],
    patterns: isObject(schema["patternProperties"]) ? Object.keys(schema["patternProperties"]) : [],
    hasAllMembers: "additionalProperties" in schema || (depth > 0 && "unevaluatedProperties" in schema),
    items:
      "items" in schema || (depth > 0 && "unevaluatedItems" in schema)
        ? Infinity
        : Array.isArray(schema["prefixItems"])
          ? schema["prefixItems"].length
          : 0,
  };
}

export function join(one: Evaluated, other: Evaluated): Evaluated {
  return {
    names: [...new Set([...one.names, ...other.names])],
    patterns: [...new Set([...one.patterns, ...other.patterns])],
    hasAllMembers: one.hasAllMembers || other.hasAllMembers,
    items: Math.max(one.items, other.items),
  };
}

export const NONE: Evaluated = { names: [], patterns: [], hasAllMembers: false, items: 0 };
