import type { Json } from "../json/types.ts";
import { isObject } from "../json/is-object.ts";
import { toLatestDraft } from "../json/schema-draft.ts";
import type { Reading } from "./reading.ts";
import type { SchemaFinding } from "./schemas/compare-schemas.ts";
import { follow, toRoot } from "./schemas/located.ts";
import { isSame } from "./schemas/same.ts";
import { showPlace, showValues } from "./schemas/show.ts";

/** Members looked at in one schema: references can name a place in exponentially many ways. */
const MEMBER_LIMIT = 2_000;

interface Member {
  readonly path: readonly string[];
  /** Default of a member that is left out. */
  readonly initial: Json | undefined;
  readonly isRequired: boolean;
}

/**
 * Finds defaults that are others now: who leaves such a member out means something else. Read `plain`, a default where
 * none was counts for nothing.
 */
export function compareDefaults(before: unknown, after: unknown, reading: Reading): readonly SchemaFinding[] {
  const members = listMembers(after);
  return [...listMembers(before)].flatMap(([key, { path, initial, isRequired }]): SchemaFinding[] => {
    const now = members.get(key);
    if (now === undefined || (initial === undefined && (now.initial === undefined || isRequired))) return [];
    if (initial === undefined && reading === "plain") return [];
    if (initial !== undefined && now.initial !== undefined && isSame(initial, now.initial)) return [];
    const had = initial === undefined ? "had no default" : `had the default ${showValues([initial])}`;
    const has = now.initial === undefined ? "has none now" : `is ${showValues([now.initial])} now`;
    return [{ path, rule: "default-changed", message: `${showPlace(path)} ${had}, and ${has}` }];
  });
}

/** The members that defaults could be filled into. A reference that leads back to where it stands ends there. */
function listMembers(written: unknown): ReadonlyMap<string, Member> {
  const document = toLatestDraft(written);
  const root = toRoot(document);
  const found = new Map<string, Member>();
  visit(document, [], []);
  return found;

  function visit(node: unknown, path: readonly string[], around: readonly unknown[]): void {
    if (!isObject(node) || around.includes(node) || found.size > MEMBER_LIMIT) return;
    const inside = [...around, node];
    if (typeof node["$ref"] === "string") visit(follow(node["$ref"], root)?.schema, path, inside);
    visit(node["items"], [...path, "[]"], inside);
    const required: readonly unknown[] = Array.isArray(node["required"]) ? node["required"] : [];
    for (const [name, inner] of Object.entries(isObject(node["properties"]) ? node["properties"] : {})) {
      const place = [...path, name];
      const key = JSON.stringify(place);
      const initial = isObject(inner) ? (inner["default"] as Json | undefined) : undefined;
      if (found.get(key)?.initial === undefined) {
        found.set(key, { path: place, initial, isRequired: required.includes(name) });
      }
      visit(inner, place, inside);
    }
  }
}
