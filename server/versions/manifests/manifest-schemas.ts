import { readFileSync } from "node:fs";
import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { isObject } from "../../json/is-object.ts";
import { SHAPES_ONLY } from "../../log/redact.ts";
import type { Problem } from "../problem.ts";
import { createProblem } from "./create-problem.ts";
import { explainFix } from "./explain-fix.ts";
import { limitProblems } from "./limit-problems.ts";
import { createManifest, type Manifest } from "./manifest.ts";
import type { Position } from "./position.ts";
import { countParts } from "./schema/count-parts.ts";
import { explainErrors, type Explanation } from "./schema/explain-errors.ts";
import type { SchemaNode } from "../../json/schema-keywords.ts";
import { readPointer } from "../../json/pointer.ts";
import { addOlderDrafts, areOlder, OLDER_SCHEMA } from "./schema/meta-schemas.ts";
import { showValue } from "./schema/show.ts";
import type { Locate } from "./yaml/locate.ts";

export const MANIFEST_KINDS = [
  "agent",
  "packages",
  "parameters",
  "policy",
  "recording",
  "server",
  "tool",
  "upstream",
  "versions",
  "workflow",
] as const;

export type ManifestKind = (typeof MANIFEST_KINDS)[number];

/** Kinds of files with a form: manifests, and change fragments, which are no part of a version. */
type FormKind = ManifestKind | "change";

/** Checks the form of a manifest: the manifest, or its problems. */
export type CheckForm<Content> = (file: string, value: unknown, position: Locate) => Form<Content>;

type Form<Content> =
  | { readonly ok: true; readonly manifest: Manifest<Content> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Of a larger manifest, only the first problem is told: finding all takes time that grows with the square of them. */
const MAX_PARTS_EXPLAINED = 5000;

/** Checks manifests of a kind against the schema that editors use too, which is compiled when it is first needed. */
export function createFormCheck<Content>(kind: FormKind): CheckForm<Content> {
  return (file, value, position) => {
    const isOlder = kind === "tool" && areOlder(listSchemas(value));
    const validate = compile<Content>(kind, false, isOlder);
    if (validate(value)) return { ok: true, manifest: createManifest(file, value, position) };
    if (countParts(value) > MAX_PARTS_EXPLAINED) return { ok: false, problems: toProblems(validate, file, position) };
    const explain = compile(kind, true, isOlder);
    explain(value);
    return { ok: false, problems: toProblems(explain, file, position) };
  };
}

/** Lists the schemas in the manifest of a tool. */
function listSchemas(manifest: unknown): readonly unknown[] {
  if (!isObject(manifest)) return [];
  const examples: readonly unknown[] = Array.isArray(manifest["examples"]) ? manifest["examples"] : [];
  const matches = examples.map((example) => (isObject(example) ? example["matches"] : undefined));
  return [manifest["input"], manifest["output"], ...matches];
}

/** Ajv by its options. */
const compilers = new Map<string, Ajv2020>();

function compile<Content>(kind: FormKind, allErrors: boolean, isOlder: boolean): ValidateFunction<Content> {
  const key = `${allErrors} ${isOlder}`;
  const ajv = compilers.get(key) ?? createAjv(allErrors, isOlder);
  compilers.set(key, ajv);
  const id = `urn:cairn:schema:${kind}:1`;
  const known = ajv.getSchema<Content>(id);
  if (known !== undefined) return known;
  const { $defs, ...schema } = readSchema(kind);
  const defs = isObject($defs) ? $defs : {};
  return ajv.compile<Content>({ ...schema, $defs: isOlder ? { ...defs, olderSchema: OLDER_SCHEMA } : defs });
}

function createAjv(allErrors: boolean, isOlder: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    allowUnionTypes: true,
    // Shorter code would take longer to write than the few manifests take to check.
    code: { optimize: false },
    logger: false,
    ownProperties: true,
    strict: true,
    strictRequired: false,
    // The meta-schemas name formats, such as `regex`, that are checked elsewhere.
    strictTypes: false,
    // As `OWN_SCHEMA_OPTIONS`, but the manifest of a tool refers to the meta-schemas of older drafts.
    validateSchema: false,
    verbose: true,
  });
  addFormats.default(ajv);
  if (isOlder) addOlderDrafts(ajv);
  ajv.addVocabulary(["patternErrorMessage"]);
  return ajv;
}

function readSchema(kind: FormKind): SchemaNode {
  const url = new URL(`../../../schemas/${kind}.schema.json`, import.meta.url);
  const schema: unknown = JSON.parse(readFileSync(url, "utf8"));
  if (!isObject(schema)) throw new TypeError(`${url.pathname} is no JSON Schema.`);
  return schema;
}

function toProblems({ errors, schema }: ValidateFunction, file: string, position: Locate): readonly Problem[] {
  const explanations = explainErrors(errors ?? [], isObject(schema) ? schema : {});
  return limitProblems(explanations, (explanation) => {
    const { kind, subject, must, error } = explanation;
    const named = subject === "the value" ? "The manifest" : subject;
    const message = `${named} ${must}${showActual(error)}.`;
    return createProblem(file, find(explanation, position), kind, message, explainFix(explanation));
  });
}

function find({ kind, path, key }: Explanation, position: Locate): Position {
  const steps = readPointer(path);
  return key === undefined || kind === "missing-key" ? position(steps) : position([...steps, key], "key");
}

/** Shows the actual value, when it is short enough, and no credential: those stand where a secret is described by mistake. */
function showActual({ keyword, data, propertyName, instancePath }: ErrorObject): string {
  if (instancePath.startsWith("/secrets/")) return "";
  const tellsNothing = ["additionalProperties", "required", "uniqueItems", "union", "false schema"].includes(keyword);
  if (tellsNothing || propertyName !== undefined) return "";
  if (Array.isArray(data)) return keyword === "type" ? ", not an array" : "";
  if (typeof data === "object" && data !== null) return keyword === "type" ? ", not an object" : "";
  return `, not \`${SHAPES_ONLY.text(showValue(data))}\``;
}
