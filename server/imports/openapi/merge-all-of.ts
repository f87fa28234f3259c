import { listOf, type Node, nodeOf, type OpenApiDocument } from "./document.ts";

/** Parts in one another; more are a circle. */
const MAX_DEPTH = 20;

/**
 * Merges the parts of `allOf` into one schema, as a person would write it: members and required names of all, and the first
 * description and type. A part that forbids other members speaks of its own, so it forbids none of the others'.
 */
export function mergeAllOf(node: Node, resolve: OpenApiDocument["resolve"], depth = 0): Node {
  const parts = listOf(node["allOf"]);
  if (parts.length === 0 || depth > MAX_DEPTH) return node;
  const { allOf: _parts, ...own } = node;
  const merged = parts.map((part) => mergeAllOf(resolve(part) ?? {}, resolve, depth + 1));
  return [own, ...merged].reduce(mergeTwo);
}

function mergeTwo(left: Node, right: Node): Node {
  const properties = { ...nodeOf(right["properties"]), ...nodeOf(left["properties"]) };
  const required = [...listOf(left["required"]), ...listOf(right["required"])];
  const { additionalProperties: open, ...rest } = { ...right, ...left };
  const isClosed = open === false && (Object.keys(nodeOf(left["properties"])).length === 0 || !("properties" in right));
  return {
    ...rest,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...(open === undefined || (open === false && !isClosed) ? {} : { additionalProperties: open }),
  };
}
