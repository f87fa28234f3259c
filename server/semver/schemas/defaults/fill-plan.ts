import { isObject } from "../../../json/is-object.ts";
import { toLatestDraft } from "../../../json/schema-draft.ts";
import { follow, type Root, toRoot } from "../located.ts";

/** A text that is the same only for schemas whose defaults are filled in alike, into every value. */
export function toFillPlan(written: unknown): string {
  const document = toLatestDraft(written);
  const root = toRoot(document);
  const numbers = new Map<unknown, number>();
  const plans: unknown[] = [];
  const first = plan(document);
  return JSON.stringify([first, plans]);

  function plan(node: unknown): unknown {
    if (!isObject(node) || !reachesDefaults(node, root)) return null;
    const properties = Object.entries(isObject(node["properties"]) ? node["properties"] : {})
      .map(([name, inner]) => [name, isObject(inner) ? inner["default"] : undefined, plan(inner)])
      .filter(([, initial, inner]) => initial !== undefined || inner !== null);
    return [typeof node["$ref"] === "string" ? refer(node["$ref"]) : null, plan(node["items"]), properties];
  }

  function refer(reference: string): number | null {
    const target = follow(reference, root)?.schema;
    if (!reachesDefaults(target, root)) return null;
    const known = numbers.get(target);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(target, number);
    plans[number] = plan(target);
    return number;
  }
}

/** Checks that defaults could be filled into a value of the schema. */
export function reachesDefaults(start: unknown, root: Root): boolean {
  const seen = new Set<unknown>();
  const todo = [start];
  while (todo.length > 0) {
    const node = todo.pop();
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    const properties = isObject(node["properties"]) ? Object.values(node["properties"]) : [];
    if (properties.some((inner) => isObject(inner) && inner["default"] !== undefined)) return true;
    if (typeof node["$ref"] === "string") todo.push(follow(node["$ref"], root)?.schema);
    todo.push(node["items"], ...properties);
  }
  return false;
}
