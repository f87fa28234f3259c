import type { Violation } from "../../../json/types.ts";
import type { ErrorObject } from "ajv/dist/2020.js";
import { isObject } from "../../../json/is-object.ts";
import { suggest } from "../../../text/suggest.ts";
import type { SchemaNode } from "../../../json/schema-keywords.ts";
import { narrowUnions } from "./narrow-unions.ts";
import { toPointer } from "../../../json/pointer.ts";
import { showPath, showValues } from "./show.ts";
import { toRequirement } from "./to-requirement.ts";

/** One thing that is wrong with a value: "`units`" "must be one of metric, imperial". */
export interface Explanation {
  readonly kind: "unknown-key" | "missing-key" | "wrong-value";
  /** JSON Pointer to the value at fault; for an unknown or missing key to the object around it. */
  readonly path: string;
  /** The key at fault, where it is the key and not the value. */
  readonly key?: string;
  readonly subject: string;
  readonly must: string;
  /** Likely intention of the author. */
  readonly hint?: string;
  readonly error: ErrorObject;
}

/** Errors beyond these are not looked at; a value with so many has enough to be told. */
const MAX_ERRORS = 2000;

/** Ajv's errors (with `verbose`) in sentences that tell a model what to send instead. `root` is the whole schema. */
export function explainErrors(errors: readonly ErrorObject[], root: SchemaNode): readonly Explanation[] {
  const told = new Map<string, Explanation>();
  for (const error of narrowUnions(errors.slice(0, MAX_ERRORS), root)) {
    if (error.keyword === "if" || error.keyword === "propertyNames") continue;
    const explanation = toExplanation(error);
    const id = `${explanation.path} ${explanation.subject} ${explanation.must}`;
    if (!told.has(id)) told.set(id, explanation);
  }
  return withoutEchoes([...told.values()]);
}

/** A misspelt key is one mistake, although a key is unknown and another missing. */
function withoutEchoes(explanations: readonly Explanation[]): readonly Explanation[] {
  const echoes = new Set(explanations.map(({ path, hint }) => `${path} ${hint}`));
  return explanations.filter(
    ({ kind, path, key }) => kind !== "missing-key" || !echoes.has(`${path} did you mean \`${key}\`?`),
  );
}

export function toViolation({ path, subject, must, hint }: Explanation): Violation {
  return { path, message: `${subject} ${must}${hint === undefined ? "" : `; ${hint}`}` };
}

function toExplanation(error: ErrorObject): Explanation {
  const { instancePath: path, params, propertyName } = error;
  const unknown: unknown = params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof unknown === "string") {
    const hint = toHint(unknown, Object.keys(asObject(error.parentSchema?.["properties"])), "allowed are");
    return { kind: "unknown-key", ...aboutKey(path, unknown), must: "is not allowed", ...hint, error };
  }
  const missing: unknown = params["missingProperty"];
  if (typeof missing === "string") {
    const because = error.keyword === "dependentRequired" ? ` when there is \`${String(params["property"])}\`` : "";
    return { kind: "missing-key", ...aboutKey(path, missing), must: `is missing${because}`, error };
  }
  const must = toRequirement(error);
  if (propertyName !== undefined) return { kind: "wrong-value", ...aboutKey(path, propertyName), must, error };
  const values: unknown = params["allowedValues"];
  const given: unknown = params["hint"];
  const hint = isText(given) ? { hint: given } : toHint(error.data, Array.isArray(values) ? values.filter(isText) : []);
  return { kind: "wrong-value", path, subject: showPath(path), must, ...hint, error };
}

function aboutKey(path: string, key: string): Pick<Explanation, "path" | "subject"> & { readonly key: string } {
  return { path, key, subject: showPath(path + toPointer([key])) };
}

function toHint(word: unknown, candidates: readonly string[], otherwise?: string): { readonly hint?: string } {
  const meant = typeof word === "string" ? suggest(word, candidates) : undefined;
  if (meant !== undefined) return { hint: `did you mean \`${meant}\`?` };
  return otherwise === undefined || candidates.length === 0 ? {} : { hint: `${otherwise} ${showValues(candidates)}` };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function asObject(value: unknown): SchemaNode {
  return isObject(value) ? value : {};
}
