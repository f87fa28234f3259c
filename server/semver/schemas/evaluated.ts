import { isObject } from "../../json/is-object.ts";
import { follow, locate, type Located } from "./located.ts";

/** References followed, and lists nested, to find what is evaluated. */
const DEPTH_LIMIT = 16;
/** Keywords that evaluate members or items for some values only. */
const SOMETIMES = ["$dynamicRef", "anyOf", "oneOf", "if", "dependentSchemas", "contains"];

/** The members and items that a schema evaluates, so that `unevaluatedProperties` and `unevaluatedItems` pass over them. */
interface Evaluated {
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
  const { schema, root } = located;
  if (typeof schema === "boolean") return NONE;
  if (depth > DEPTH_LIMIT || SOMETIMES.some((keyword) => keyword in schema)) return undefined;
  const others = Array.isArray(schema["allOf"]) ? schema["allOf"].map((inner) => locate(inner, root)) : [];
  if (typeof schema["$ref"] === "string") {
    const target = follow(schema["$ref"], root);
    if (target === undefined) return undefined;
    others.push(target);
  }
  let all: Evaluated = {
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
  for (const other of others) {
    const inner = findEvaluated(other, depth + 1);
    if (inner === undefined) return undefined;
    all = {
      names: [...all.names, ...inner.names],
      patterns: [...all.patterns, ...inner.patterns],
      hasAllMembers: all.hasAllMembers || inner.hasAllMembers,
      items: Math.max(all.items, inner.items),
    };
  }
  return all;
}

const NONE: Evaluated = { names: [], patterns: [], hasAllMembers: false, items: 0 };
