import { readFileSync } from "node:fs";
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

interface Operation {
  readonly request: AnySchemaObject | null;
  /** Whether a request has to have a body. */
  readonly required: boolean;
  readonly responses: Readonly<Record<string, AnySchemaObject | null>>;
}

/** What GitHub publishes about its interface, of the calls we make. */
export interface Interface {
  /** What is wrong with the body of a request, if anything. */
  checkRequest(operation: string, body: unknown): string | undefined;
  /** What is wrong with an answer, if anything. */
  checkAnswer(operation: string, status: number, body: unknown): string | undefined;
  /** The values of `type` that tell the forms of a named schema apart, in their order as text. */
  listTypes(schema: string): readonly string[];
  /** `given`, of the form of a named schema: members that are required but not given are filled with what nobody can mistake for real. */
  shape(schema: string, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

type Shape = (schema: AnySchemaObject | undefined, given: unknown) => unknown;

/** Loaded once: forming the checks takes longer than what they check. */
export const GITHUB_INTERFACE: Interface = loadInterface();

function loadInterface(): Interface {
  const document = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8")) as {
    readonly operations: Readonly<Record<string, Operation>>;
    readonly $defs: Readonly<Record<string, AnySchemaObject>>;
  };
  const ajv = new Ajv({ strict: false, allErrors: false });
  addFormats.default(ajv);
  // `owner/name`.
  ajv.addFormat("repo.nwo", /^[\w.-]+\/[\w.-]+$/);
  ajv.addSchema({ $id: "github", $defs: document.$defs });
  const compiled = new Map<AnySchemaObject, ValidateFunction>();

  function check(where: string, schema: AnySchemaObject | null | undefined, value: unknown): string | undefined {
    if (schema === undefined || schema === null) return undefined;
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
    compiled.set(schema, validate);
    return validate(value) ? undefined : `${where}: ${ajv.errorsText(validate.errors)}`;
  }

  const shape: Shape = (schema, given) => {
    if (schema === undefined) return given;
    if (typeof schema["$ref"] === "string")
      return shape(document.$defs[schema["$ref"].slice("#/$defs/".length)], given);
    const all: AnySchemaObject[] | undefined = schema["allOf"];
    if (all !== undefined) return all.reduce((value: unknown, one) => shape(one, value), given);
    const options: AnySchemaObject[] | undefined = schema["anyOf"] ?? schema["oneOf"];
    if (options !== undefined) {
      const isNullable = options.some(({ type }) => type === "null");
      if (given === undefined) return isNullable ? null : shape(options[0], given);
      return given !== null && isNullable && options.length === 2 ? shape(options[0], given) : given;
    }
    const types: readonly string[] = [schema["type"] ?? []].flat();
    if (given === undefined && types.includes("null")) return null;
    if (given === null) return null;
    if (schema["enum"] !== undefined) return given ?? schema["enum"][0];
    if (types.includes("array")) return (Array.isArray(given) ? given : []).map((item) => shape(schema["items"], item));
    if (types.includes("object") || schema["properties"] !== undefined) return shapeObject(schema, given, shape);
    return given ?? filler(types[0], schema["format"]);
  };

  return {
    checkRequest: (operation, body) => {
      const known = document.operations[operation];
      if (body === undefined && known?.required !== true) return undefined;
      return check(`the body of ${operation}`, known?.request, body);
    },
    checkAnswer: (operation, status, body) => {
      const known = document.operations[operation];
      if (known === undefined) return undefined;
      // Of every call, though it describes none of them.
      if ([304, 401, 403, 404, 429, 501, 502].includes(status)) return undefined;
      if (!Object.hasOwn(known.responses, String(status))) return `${operation}: GitHub describes no answer ${status}`;
      return check(`the answer ${status} to ${operation}`, known.responses[String(status)], body);
    },
    listTypes: (name) => [...findTypes({ $ref: `#/$defs/${name}` }, document.$defs)].toSorted(),
    shape: (name, given) => shape({ $ref: `#/$defs/${name}` }, given) as Readonly<Record<string, unknown>>,
  };
}

function findTypes(schema: AnySchemaObject, defs: Readonly<Record<string, AnySchemaObject>>): ReadonlySet<string> {
  const { $ref: ref = "", properties = {}, oneOf = [], allOf = [] } = schema;
  const inner: readonly AnySchemaObject[] = [...oneOf, ...allOf, ...[defs[ref.slice("#/$defs/".length)] ?? []].flat()];
  return new Set([...(properties.type?.enum ?? []), ...inner.flatMap((one) => [...findTypes(one, defs)])]);
}

function shapeObject(schema: AnySchemaObject, given: unknown, shape: Shape): unknown {
  const properties: Readonly<Record<string, AnySchemaObject>> = schema["properties"] ?? {};
  const known: Readonly<Record<string, unknown>> = typeof given === "object" && given !== null ? { ...given } : {};
  const names = new Set<string>([...Object.keys(known), ...(schema["required"] ?? [])]);
  return Object.fromEntries(
    [...names]
      .filter((name) => known[name] !== undefined || schema["required"]?.includes(name))
      .map((name) => [name, shape(properties[name], known[name])]),
  );
}

function filler(type: string | undefined, format: unknown): unknown {
  if (type === "integer" || type === "number") return 0;
  if (type === "boolean") return false;
  if (format === "uri") return "http://unused.invalid/";
  if (format === "date-time") return "1970-01-01T00:00:00Z";
  return "unused";
}

/** References of a schema that stands alone lead into the one document. */
function absolute(schema: AnySchemaObject): AnySchemaObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"github#/$defs/')) as AnySchemaObject;
}
