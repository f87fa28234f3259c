import type { ErrorObject } from "ajv/dist/2020.js";
import { isObject } from "../../../json/is-object.ts";
import { type SchemaNode, subschemas } from "../../../json/schema-keywords.ts";
import { listTargets, toTarget } from "../../../json/resolve-reference.ts";
import { showPath, showValues } from "./show.ts";
import { toRequirement } from "./to-requirement.ts";

/**
 * Narrows the errors of a value that fits none of several alternatives. ajv reports the failures of all; only those of
 * the intended alternative help: the one of the right type, whose constants match.
 */
export function narrowUnions(errors: readonly ErrorObject[], root: SchemaNode): readonly ErrorObject[] {
  const targets = listTargets(root);
  const known = new Map<unknown, readonly Alternative[]>();
  const result: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== "anyOf" && error.keyword !== "oneOf") {
      result.push(error);
      continue;
    }
    const schemas: readonly unknown[] = Array.isArray(error.schema) ? error.schema : [];
    const alternatives = known.get(schemas) ?? schemas.map((schema) => toAlternative(schema, targets));
    known.set(schemas, alternatives);
    result.push(...choose(error, takeBranches(result, error, alternatives)));
  }
  return result;
}

/** The schemas that an alternative consists of, except those of other documents that it refers to. */
interface Alternative {
  readonly schemas: ReadonlySet<unknown>;
  readonly isComplete: boolean;
}

/** The errors of one alternative. */
type Branch = readonly ErrorObject[];

/** Takes the errors of the union's alternatives, which stand right before its own, off the end of `errors`. */
function takeBranches(
  errors: ErrorObject[],
  union: ErrorObject,
  alternatives: readonly Alternative[],
): readonly Branch[] {
  const incomplete = alternatives.findIndex(({ isComplete }) => !isComplete);
  const branches = new Map<number, ErrorObject[]>();
  for (let error = errors.at(-1); error && isWithin(error, union); error = errors.at(-1)) {
    const { parentSchema } = error;
    const found = alternatives.findIndex(({ schemas }) => schemas.has(parentSchema));
    const index = found < 0 ? incomplete : found;
    if (index < 0) break;
    const branch = branches.get(index);
    if (branch === undefined) branches.set(index, [error]);
    else branch.push(error);
    errors.pop();
  }
  return [...branches].sort(([a], [b]) => a - b).map(([, branch]) => branch.reverse());
}

function choose(union: ErrorObject, branches: readonly Branch[]): readonly ErrorObject[] {
  const several = Array.isArray(union.params["passingSchemas"]);
  const keys = requiredKeys(union);
  if (keys) {
    const must = `must have ${union.keyword === "oneOf" ? "exactly" : "at least"} one of ${showValues(keys)}`;
    return [tell(union, must, several ? "keep one of them" : "add one of them")];
  }
  if (several) return [tell(union, "must fit only one of the alternatives in its schema, but fits several")];
  const [best = [], ...others] = candidates(union, branches);
  if (others.length === 0) return best.length === 0 ? [union] : best;
  const all = [best, ...others];
  const merged = mergeTypes(union, all.flat()) ?? mergeValues(all.flat());
  if (merged) return [merged];
  const [nearest = union] = all.toSorted((a, b) => a.length - b.length)[0] ?? [];
  const need = `${showPath(nearest.instancePath)} ${toRequirement(nearest)}`;
  return [tell(union, `fits none of its ${branches.length} alternatives; for the nearest, ${need}`)];
}

/** The keys of a union that asks for nothing but one of them. */
function requiredKeys({ schema }: ErrorObject): readonly string[] | undefined {
  if (!Array.isArray(schema)) return undefined;
  const keys = schema.flatMap((alternative: unknown): unknown[] => {
    if (!isObject(alternative) || Object.keys(alternative).join() !== "required") return [];
    const { required } = alternative;
    return Array.isArray(required) && required.length === 1 ? required : [];
  });
  return keys.length === schema.length ? keys.map(String) : undefined;
}

/** The alternatives that may have been meant: of the right type and with matching constants, as far as there are any. */
function candidates(union: ErrorObject, branches: readonly Branch[]): readonly Branch[] {
  const ofType = branches.filter((branch) => !branch.some((error) => isAt(error, union, "type")));
  const meant = ofType.filter((branch) => !branch.some((error) => isConstant(error) && isNear(error, union)));
  return [meant, ofType, branches].find(({ length }) => length > 0) ?? [];
}

function mergeTypes(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject | undefined {
  if (!errors.every((error) => isAt(error, union, "type"))) return undefined;
  const types = new Set(errors.flatMap(({ params }): unknown => params["type"]));
  return { ...union, keyword: "type", params: { type: [...types] } };
}

function mergeValues(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const constants = errors.filter(isConstant);
  const [first] = constants;
  if (!first || constants.some(({ instancePath }) => instancePath !== first.instancePath)) return undefined;
  const values = new Set(
    constants.flatMap(({ params }): unknown => params["allowedValues"] ?? [params["allowedValue"]]),
  );
  return { ...first, keyword: "enum", params: { allowedValues: [...values] } };
}

function toAlternative(alternative: unknown, targets: ReadonlyMap<string, unknown>): Alternative {
  const schemas = new Set<unknown>();
  let isComplete = true;
  visit(alternative);
  return { schemas, isComplete };

  function visit(schema: unknown): void {
    if (!isObject(schema) || schemas.has(schema)) return;
    schemas.add(schema);
    const reference = schema["$ref"];
    if (typeof reference === "string") {
      const target = targets.get(toTarget(reference));
      if (target === undefined) isComplete = false;
      else visit(target);
    }
    for (const { schema: inner } of subschemas(schema)) visit(inner);
  }
}

function isWithin({ instancePath }: ErrorObject, union: ErrorObject): boolean {
  return instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`);
}

function isAt(error: ErrorObject, union: ErrorObject, keyword: string): boolean {
  return error.keyword === keyword && error.instancePath === union.instancePath;
}

/** At the union's value or one of its own properties, where discriminators are. */
function isNear(error: ErrorObject, union: ErrorObject): boolean {
  return error.instancePath.slice(union.instancePath.length).lastIndexOf("/") <= 0;
}

function isConstant({ keyword }: ErrorObject): boolean {
  return keyword === "const" || keyword === "enum";
}

function tell(union: ErrorObject, message: string, hint?: string): ErrorObject {
  return { ...union, keyword: "union", message, params: hint === undefined ? {} : { hint } };
}
