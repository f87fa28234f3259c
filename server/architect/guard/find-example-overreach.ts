import { canonicalJson } from "../../json/canonical-json.ts";
import { compareSchemas, type Side } from "../../semver/schemas/compare-schemas.ts";
import { toPlace } from "../../semver/schemas/located.ts";
import { isObject } from "../../json/is-object.ts";
import { checkSchema } from "../../versions/manifests/schema/check-schema.ts";
import { compileSchema } from "../../versions/manifests/schema/compile-schema.ts";
import { memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Overreach } from "./overreach.ts";

/** Examples are what a tool is held to: each that is gone, or that would be met by more than before. */
export function findExampleOverreach(name: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  const left = [...listExamples(after)];
  return listExamples(before).flatMap((example, index) => {
    const same = left.findIndex((other) => inputOf(other) === inputOf(example) && keeps(example, other));
    if (same >= 0) {
      left.splice(same, 1);
      return [];
    }
    const isThere = listExamples(after).some((other) => inputOf(other) === inputOf(example));
    const what = isThere ? "would promise less" : "would not be there any more";
    const sentence = `Change the examples of \`${name}\`.`;
    const names = [name, name.slice(name.indexOf(".") + 1)];
    const words = [names, ["example", "examples"], VERBS];
    return [
      { rule: "example", path, message: `Example ${index + 1} of \`${name}\` ${what}.`, ask: { sentence, words } },
    ];
  });
}

const VERBS = ["change", "remove", "delete", "drop", "replace", "weaken", "update", "rewrite"];

/**
 * Whether `after` promises as exactly as `before`: what told an output or an error to the letter still tells one, which
 * may be another as tools change, and what met a schema still meets it.
 */
function keeps(before: unknown, after: unknown): boolean {
  const [matches, nextMatches] = [memberOf(before, "matches"), memberOf(after, "matches")];
  if (matches === undefined) return nextMatches === undefined;
  if (canonicalOf(matches) === canonicalOf(nextMatches)) return true;
  const outer = toSide(matches);
  if (outer === undefined || memberOf(after, "error") !== undefined) return false;
  if (nextMatches === undefined) return outer.check(memberOf(after, "output"), "first").length === 0;
  const inner = toSide(nextMatches);
  return inner !== undefined && compareSchemas(inner, outer).verdict === "included";
}

function toSide(schema: unknown): Side | undefined {
  if (!isObject(schema)) return undefined;
  try {
    if (checkSchema(schema).length > 0) return undefined;
    return { place: toPlace(schema), check: compileSchema(schema) };
  } catch {
    // The form of a new manifest's schemas has not been checked yet; what cannot be compiled proves nothing.
    return undefined;
  }
}

function listExamples(tool: ChangedManifest["before"]): readonly unknown[] {
  const examples = tool?.["examples"];
  return Array.isArray(examples) ? examples : [];
}

function inputOf(example: unknown): string {
  return canonicalOf(memberOf(example, "input"));
}

function canonicalOf(value: unknown): string {
  return value === undefined ? "" : canonicalJson(value);
}
