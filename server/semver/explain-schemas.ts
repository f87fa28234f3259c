import { isObject } from "../json/is-object.ts";
import type { Json } from "../json/types.ts";
import type { JsonSchema } from "../host-api.ts";
import type { SchemaFinding } from "./schemas/compare-schemas.ts";
import { showPlace } from "./schemas/show.ts";

/** A schema's finding as seen from the other side: the part that is wider now, with a value that is allowed since. */
export type Widening = Pick<SchemaFinding, "path" | "message" | "value">;

/** Widenings that are named one by one; of more, the rest is one sentence. */
const SHOWN = 5;

/**
 * Explains the parts of a schema that allow more than before, from the findings of the comparison in the other direction:
 * those say which values the old schema refuses.
 */
export function explainWidenings(findings: readonly SchemaFinding[]): readonly Widening[] {
  const proven = findings.filter(({ value }) => value !== undefined);
  const named = proven.slice(0, SHOWN).map((finding): Widening => ({ ...finding, message: toWider(finding) }));
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
 * Explains a finding of alternatives that each demand members (`anyOf: [{ required: [body] }, { required: [reaction] }]`):
 * the members of which one set must be there. Undefined for other findings.
 */
export function explainAlternatives(schema: JsonSchema, { path, rule, value }: SchemaFinding): string | undefined {
  if (rule !== "condition-unproven" || value === undefined) return undefined;
  const [node, held] = [path.reduce(stepInto, schema as unknown), path.reduce(valueAt, value as unknown)];
  if (!isObject(node) || !isObject(held)) return undefined;
  const alternatives = [node["anyOf"], node["oneOf"]].find((list) => Array.isArray(list)) as
    readonly unknown[] | undefined;
  const lacking = (alternatives ?? []).map((one) =>
    isObject(one) && Array.isArray(one["required"])
      ? one["required"].filter((name): name is string => typeof name === "string" && !Object.hasOwn(held, name))
      : [],
  );
  if (lacking.length === 0 || lacking.some((names) => names.length === 0)) return undefined;
  const sets = lacking.map((names) => names.map((name) => showPlace([...path, name])).join(" and "));
  return `${[...new Set(sets)].join(" or ")} must be there now`;
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
