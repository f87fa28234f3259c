import type { Json } from "../../../json/types.ts";
import { isObject } from "../../../json/is-object.ts";
import { toLatestDraft } from "../../../json/schema-draft.ts";
import type { SchemaNode } from "../../../json/schema-keywords.ts";
import { evaluate } from "../evaluate.ts";
import { reachesDefaults } from "./fill-plan.ts";
import { follow, locate, type Located, type Root, toRoot } from "../located.ts";
import { isWithoutMeaning } from "../schema-text.ts";

/** Keywords that cannot tell a member that was filled in from one that was given, but for `required`. */
const PLAIN = new Set(["additionalProperties", "items", "properties", "required", "type"]);

/**
 * The schema of values before defaults are filled in (`createDefaults`). Where it is not sure that a default is valid,
 * an `inner` schema takes a value that leaves the member out, and an `outer` one does not: both err on the side of no
 * proof. Undefined where other conditions stand beside defaults, which could tell who gave a member.
 */
export function toUnfilled(written: unknown, side: "inner" | "outer"): Located | undefined {
  const document = toLatestDraft(written);
  const root = toRoot(document);
  if (!reachesDefaults(document, root)) return locate(document, root);
  const extra = new Map<string, unknown>();
  const names = new Map<object, string>();
  let isExact = true;
  const unfilled = convert(document);
  return isExact ? locate(unfilled, toRoot(document, extra)) : undefined;

  function convert(node: unknown): unknown {
    if (!isObject(node)) return node;
    const keywords = Object.keys(node).filter((keyword) => !isWithoutMeaning(keyword));
    if (keywords.length === 1 && typeof node["$ref"] === "string") {
      return { ...node, $ref: convertReference(node["$ref"]) };
    }
    if (!keywords.every((keyword) => PLAIN.has(keyword))) {
      if (reachesDefaults(node, root)) isExact = false;
      return node;
    }
    const properties = Object.entries(isObject(node["properties"]) ? node["properties"] : {});
    const required = new Set(Array.isArray(node["required"]) ? node["required"] : []);
    for (const [name, inner] of properties) {
      if (!isObject(inner) || inner["default"] === undefined) continue;
      if (side === "inner" || isSureToBeValid(inner["default"] as Json, inner, root)) required.delete(name);
      else required.add(name);
    }
    return {
      ...node,
      ...("items" in node ? { items: convert(node["items"]) } : {}),
      ...("properties" in node
        ? { properties: Object.fromEntries(properties.map(([name, inner]) => [name, convert(inner)])) }
        : {}),
      required: [...required],
    };
  }

  function convertReference(reference: string): string {
    const target = follow(reference, root)?.schema;
    if (!isObject(target)) return reference;
    const known = names.get(target);
    if (known !== undefined) return `#${known}`;
    const name = `/unfilled/${names.size}`;
    names.set(target, name);
    extra.set(name, convert(target));
    return `#${name}`;
  }
}

/** Filled in itself, it may become something else. */
function isSureToBeValid(value: Json, inner: SchemaNode, root: Root): boolean {
  const isContainer = typeof value === "object" && value !== null;
  if (isContainer && reachesDefaults(inner, root)) return false;
  return evaluate(value, locate(inner, root)) === true;
}
