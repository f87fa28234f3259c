import { isObject } from "../json/is-object.ts";
import type { SchemaNode } from "../json/schema-keywords.ts";
import type { Json } from "../json/types.ts";
import type { JsonSchema } from "../host-api.ts";
import type { SchemaFinding } from "./schemas/compare-schemas.ts";
import { showPlace } from "./schemas/show.ts";

/** A schema's finding as seen from the other side: the part that is wider now, with a value that is allowed since. */
export type Widening = Pick<SchemaFinding, "path" | "message" | "value">;

/** Widenings that are named one by one; of more, the rest is one sentence. */
const SHOWN = 5;

/**
 * Explains the parts of a schema that allow more than `before`, from the findings of the comparison in the other direction:
 * those say which values the old schema refuses.
 */
export function explainWidenings(before: JsonSchema, findings: readonly SchemaFinding[]): readonly Widening[] {
  const proven = findings.filter(({ value }) => value !== undefined);
  const named = proven.slice(0, SHOWN).map((finding): Widening => ({
    ...finding,
    message: explainMembers(before, finding, true) ?? toWider(finding),
  }));
  const rest = proven.length - named.length;
  return rest === 0 ? named : [...named, { path: [], message: `accepts more in ${rest} other places` }];
}

function toWider({ path, rule, message }: SchemaFinding): string {
  const place = showPlace(path);
  if (rule === "required-added") return `${place} may be left out now`;
  if (rule === "member-closed") return `${place} is new, and may be given`;
  const turned = TURNED.reduce((text, [narrow, wide]) => text.replace(narrow, wide), message);
  return turned === message ? `${place} can be more than before` : turned;
}

/** Phrases of the prover, each with the phrase for the other direction. */
const TURNED = [
  [" can no longer be ", " can now be "],
  [" must now ", " need no longer "],
] as const;

/**
 * Explains a finding of conditions on which members are there: alternatives that each demand some (`anyOf: [{ required:
 * [body] }, { required: [reaction] }]`), or members that exclude each other (`not: { required: [body, reaction] }`).
 * `isGone`: the condition is there no more. Undefined for other findings.
 */
export function explainMembers(
  schema: JsonSchema,
  { path, rule, value }: SchemaFinding,
  isGone = false,
): string | undefined {
  if (rule !== "condition-unproven" || value === undefined) return undefined;
  const [node, held] = [path.reduce(stepInto, schema as unknown), path.reduce(valueAt, value as unknown)];
  if (!isObject(node) || !isObject(held)) return undefined;
  const name = (names: readonly string[]) => names.map((member) => showPlace([...path, member])).join(" and ");
  const lacking = findLacking(node, held);
  if (lacking.length > 0) {
    const sets = [...new Set(lacking.map(name))].join(" or ");
    return isGone ? `${sets} need no longer be there` : `${sets} must be there now`;
  }
  const excluded = findExcluded(node, held);
  if (excluded === undefined) return undefined;
  return isGone ? `${name(excluded)} may be given together now` : `${name(excluded)} must not be given together now`;
}

/** Finds the members that an object lacks for each alternative; none where one of them demands nothing that is lacking. */
function findLacking(node: SchemaNode, held: SchemaNode): readonly (readonly string[])[] {
  const alternatives = [node["anyOf"], node["oneOf"]].find((list) => Array.isArray(list)) as
    readonly unknown[] | undefined;
  const lacking = (alternatives ?? []).map((one) => toRequired(one).filter((name) => !Object.hasOwn(held, name)));
  return lacking.some((names) => names.length === 0) ? [] : lacking;
}

/** Finds the members of an object that must not be there together. */
function findExcluded(node: SchemaNode, held: SchemaNode): readonly string[] | undefined {
  const parts: readonly unknown[] = [node, ...(Array.isArray(node["allOf"]) ? node["allOf"] : [])];
  const denied = parts.flatMap((part) => (isObject(part) && isObject(part["not"]) ? [part["not"]] : []));
  const conditions = denied.flatMap((one): readonly unknown[] => (Array.isArray(one["anyOf"]) ? one["anyOf"] : [one]));
  return conditions
    .filter((one) => isObject(one) && Object.keys(one).every((keyword) => keyword === "required" || keyword === "type"))
    .map(toRequired)
    .find((names) => names.length > 1 && names.every((name) => Object.hasOwn(held, name)));
}

function toRequired(node: unknown): readonly string[] {
  const required: readonly unknown[] = isObject(node) && Array.isArray(node["required"]) ? node["required"] : [];
  return required.filter((name) => typeof name === "string");
}

function stepInto(node: unknown, name: string): unknown {
  if (!isObject(node)) return undefined;
  if (name === "[]") return node["items"];
  return isObject(node["properties"]) ? node["properties"][name] : undefined;
}

function valueAt(value: unknown, name: string): unknown {
  if (name === "[]") return Array.isArray(value) ? (value as readonly Json[])[0] : undefined;
  return isObject(value) ? value[name] : undefined;
}
