import { type Node, nodeOf, type OpenApiDocument } from "./document.ts";
import { isObject } from "../../json/is-object.ts";

/** Members of a document that hold values of callers, in which `$ref` is a name like any other. */
const DATA = new Set(["const", "default", "enum", "example", "examples", "value"]);
/** Members whose own members have names that people chose. */
const NAMED = new Set(["properties", "patternProperties", "content", "headers", "responses"]);

/**
 * Creates the search for references below a part of a document that lead nowhere or outside it. Parts in which all lead somewhere
 * are remembered: operations share most of theirs.
 */
export function createFindLost({ resolve }: Pick<OpenApiDocument, "resolve">): (part: unknown) => readonly string[] {
  const whole = new Set<unknown>();
  return (part) => {
    const lost = new Set<string>();
    const seen = new Set<unknown>();
    const waiting: unknown[] = [part];
    while (waiting.length > 0) {
      const next = waiting.pop();
      if (whole.has(next) || seen.has(next)) continue;
      seen.add(next);
      if (Array.isArray(next)) waiting.push(...next);
      else if (isObject(next)) waiting.push(...listInner(next));
      const reference = nodeOf(next)["$ref"];
      if (typeof reference !== "string") continue;
      const target = resolve(next);
      if (target === undefined) lost.add(reference);
      else waiting.push(target);
    }
    if (lost.size === 0) for (const one of seen) whole.add(one);
    return [...lost];
  };
}

function listInner(node: Node): readonly unknown[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (DATA.has(key) || key.startsWith("x-")) return [];
    const inner = NAMED.has(key) && isObject(value) ? Object.values(value) : [value];
    return inner.filter((one) => typeof one === "object" && one !== null);
  });
}
