import { readFileSync } from "node:fs";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { compileSchema } from "../../../versions/manifests/schema/compile-schema.ts";
import type { Level } from "../../../semver/level.ts";

/** Submission of a model, as schemas/architect-plan.schema.json has it. */
export interface Submission {
  readonly change?: SubmittedChange;
  readonly tune?: { readonly adjustments: readonly SubmittedAdjustment[] };
  readonly reject?: { readonly reason: string; readonly question: string };
}

export interface SubmittedChange {
  readonly title: string;
  readonly changes: readonly string[];
  readonly bump?: Level;
  readonly edits: readonly SubmittedEdit[];
}

export interface SubmittedEdit {
  readonly path: string;
  readonly text?: string;
  readonly replace?: readonly { readonly find: string; readonly with: string }[];
  readonly delete?: true;
}

export interface SubmittedAdjustment {
  readonly kind: "promote" | "revert" | "reset";
  readonly experiment: string;
  readonly arm?: string;
  readonly values?: Readonly<Record<string, string | number | boolean>>;
}

export type SubmissionRead =
  { readonly ok: true; readonly submission: Submission } | { readonly ok: false; readonly faults: readonly string[] };

/** Creates a reader that checks submissions against the schema; a fault is a sentence. */
export function createSubmissionReader(): (input: unknown) => SubmissionRead {
  const check = compileSchema(PLAN_SCHEMA);
  return (input) => {
    const violations = check(input);
    if (violations.length === 0) return { ok: true, submission: input as Submission };
    const faults = violations.map(({ path, message }) => `${path === "" ? "The plan" : path}: ${message}.`);
    return { ok: false, faults };
  };
}

/** schemas/architect-plan.schema.json: what a model submits. */
const PLAN_SCHEMA: JsonSchema = Object.freeze(
  JSON.parse(
    readFileSync(new URL("../../../../schemas/architect-plan.schema.json", import.meta.url), "utf8"),
  ) as JsonSchema,
);

const KEPT: ReadonlySet<string> = new Set(["description", "type", "enum", "required", "items"]);

/**
 * Writes the schema as models are offered it, in the few keywords that all endpoints take: some refuse `$ref` and
 * `additionalProperties`, others make grammars of patterns and lengths that they then cannot read. Submissions are held to
 * the whole schema.
 */
export function toOfferedSchema(schema: JsonSchema = PLAN_SCHEMA): JsonSchema {
  const definitions = isObject(PLAN_SCHEMA["$defs"]) ? PLAN_SCHEMA["$defs"] : {};
  const { $ref: reference, properties, const: only, enum: values } = schema;
  const found = typeof reference === "string" ? definitions[reference.replace("#/$defs/", "")] : undefined;
  if (isObject(found)) return toOfferedSchema(found);
  const kept = Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (!KEPT.has(key)) return [];
    return [[key, key === "items" && isObject(value) ? toOfferedSchema(value) : value]];
  });
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(values) && { type: "string" }),
    ...(only === true && { type: "boolean" }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, isObject(value) ? toOfferedSchema(value) : {}]),
      ),
    }),
  };
}
