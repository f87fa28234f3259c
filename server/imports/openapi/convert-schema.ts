import { isObject } from "../../json/is-object.ts";
import { createSafePattern } from "../../json/safe-pattern.ts";
import { FORMATS } from "../../json/schema-keywords.ts";
import { toPlainText } from "./plain-text.ts";
import { listOf, type Node, nodeOf, type OpenApiDocument } from "./document.ts";
import { mergeAllOf } from "./merge-all-of.ts";

/** JSON Schema (2020-12) that is being written. */
export type Schema = Record<string, unknown>;

/** Side of a call that a schema is for. Outputs are loose: an answer a little off its document is still of use. */
export type Purpose = "input" | "output";

/** Values in a schema, keywords included: what a model reads for each tool, and what a call's check costs, grows with them. */
const BUDGET: Readonly<Record<Purpose, number>> = { input: 1_500, output: 600 };
/** Levels of objects and lists that are written out, from the first that fits the budget. */
const DEPTHS = [8, 6, 5, 4, 3, 2, 1];
const MAX_ENUM = 100;
const MAX_ENUM_TOLD = 20;
const MAX_DESCRIPTION: Readonly<Record<Purpose, number>> = { input: 400, output: 160 };
const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

interface Conversion {
  readonly purpose: Purpose;
  readonly resolve: OpenApiDocument["resolve"];
  readonly depth: number;
  /** Values that may still be written. */
  left: number;
}

/** A document whose schemas are converted once: it refers to one schema from hundreds of operations. */
export type Convertible<Document> = Document & {
  /**
   * Converts a schema of OpenAPI 3.0 or 3.1 into one of JSON Schema 2020-12 without references, so that a manifest can be read
   * by itself. Parts that are recursive, or too deep for the budget, are open: the API checks them.
   */
  readonly convert: (schema: unknown, purpose: Purpose) => Schema;
};

/** Creates the conversion of a document's schemas. */
export function createConvertible<Document extends Pick<OpenApiDocument, "resolve">>(
  document: Document,
): Convertible<Document> {
  const { resolve } = document;
  /** Conversions of what references lead to. */
  const converted: Readonly<Record<Purpose, Map<Node, Schema>>> = { input: new Map(), output: new Map() };
  return {
    ...document,
    convert: (schema, purpose) => {
      const found = resolve(schema);
      const isReference = found !== undefined && found !== schema && Object.keys(nodeOf(schema)).length === 1;
      const earlier = isReference ? converted[purpose].get(found) : undefined;
      const result = earlier ?? fitBudget(schema, purpose, resolve);
      if (isReference) converted[purpose].set(found, result);
      return result;
    },
  };
}

function fitBudget(schema: unknown, purpose: Purpose, resolve: OpenApiDocument["resolve"]): Schema {
  for (const depth of DEPTHS) {
    const conversion: Conversion = { purpose, resolve, depth, left: BUDGET[purpose] };
    const converted = convert(conversion, schema, 0, []);
    if (conversion.left >= 0) return converted;
  }
  return cut({ purpose, resolve, depth: 0, left: 0 }, resolve(schema) ?? {});
}

function convert(conversion: Conversion, value: unknown, level: number, path: readonly unknown[]): Schema {
  if (conversion.left < 0 || !isObject(value)) return {};
  const found = conversion.resolve(value);
  if (found === undefined) return {};
  // Siblings of a reference have a meaning in OpenAPI 3.1; what describes a place is told there, rather than its type.
  const { $ref: _reference, ...siblings } = value;
  const merged = mergeAllOf(found === value ? found : { ...found, ...siblings }, conversion.resolve);
  const isAgain = path.includes(found);
  const isNested = typeOf(merged) === "object" || typeOf(merged) === "array";
  const result =
    isAgain || (isNested && level >= conversion.depth)
      ? cut(conversion, merged)
      : write(conversion, merged, level, [...path, found]);
  const count = Object.values(result).reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 1), 1);
  conversion.left -= count;
  return result;
}

/** Writes the type and the description of a part alone. */
function cut({ purpose }: Conversion, node: Node): Schema {
  return { ...typeAndNull(node), ...describe(node, purpose) };
}

function write(conversion: Conversion, node: Node, level: number, path: readonly unknown[]): Schema {
  const { purpose } = conversion;
  const inner = (value: unknown, by = 1) => convert(conversion, value, level + by, path);
  const schema: Schema = { ...typeAndNull(node), ...describe(node, purpose) };
  if (purpose === "input") Object.assign(schema, toEnum(node), toBounds(node), toTextRules(node));
  const unions = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])];
  if (unions.length > 0)
    writeUnion(
      schema,
      unions.map((one) => inner(one, 0)),
      node,
    );
  if (isObject(node["properties"])) writeProperties(schema, node, purpose, conversion, inner);
  const others = node["additionalProperties"];
  if (isObject(others) && Object.keys(others).length > 0) schema["additionalProperties"] = inner(others);
  if (others === false && purpose === "input") schema["additionalProperties"] = false;
  if (typeOf(node) === "array") schema["items"] = inner(node["items"]);
  return schema;
}

/** Writes alternatives as `anyOf`: parts that an import leaves open could make several of a `oneOf` fit. */
function writeUnion(schema: Schema, alternatives: readonly Schema[], node: Node): void {
  const isOpen = alternatives.some((one) =>
    Object.keys(one).every((key) => key === "description" || key === "required"),
  );
  // A list of alternatives that only ask for members says nothing that the members do not.
  if (isOpen) return;
  const seen = new Set<string>();
  const distinct = alternatives.filter((one) => !seen.has(JSON.stringify(one)) && seen.add(JSON.stringify(one)));
  if (node["nullable"] === true) distinct.push({ type: "null" });
  if (distinct.length > 1) schema["anyOf"] = distinct;
  else Object.assign(schema, { ...distinct[0], ...schema });
}

function writeProperties(
  schema: Schema,
  node: Node,
  purpose: Purpose,
  { resolve }: Conversion,
  inner: (value: unknown) => Schema,
): void {
  const hidden = purpose === "input" ? "readOnly" : "writeOnly";
  const kept = Object.entries(nodeOf(node["properties"])).filter(([, value]) => resolve(value)?.[hidden] !== true);
  const names = new Set(kept.map(([name]) => name));
  const required = listOf(node["required"]).filter((name) => typeof name === "string" && names.has(name));
  if (required.length > 0) schema["required"] = [...new Set(required)];
  if (kept.length > 0) schema["properties"] = Object.fromEntries(kept.map(([name, value]) => [name, inner(value)]));
}

function typeOf(node: Node): string | undefined {
  const type = listOf(node["type"]).find((one) => one !== "null") ?? node["type"];
  if (typeof type === "string" && TYPES.has(type)) return type;
  if (isObject(node["properties"]) || isObject(node["additionalProperties"])) return "object";
  return isObject(node["items"]) ? "array" : undefined;
}

function typeAndNull(node: Node): Schema {
  const many = listOf(node["type"]).filter((one) => TYPES.has(String(one)));
  const type = many.length > 1 ? many : typeOf(node);
  if (type === undefined) return {};
  const isNullable = node["nullable"] === true || listOf(node["enum"]).includes(null);
  return { type: isNullable && !Array.isArray(type) && type !== "null" ? [type, "null"] : type };
}

function describe(node: Node, purpose: Purpose): Schema {
  const told = [toPlainText(node["description"] ?? node["title"], MAX_DESCRIPTION[purpose])];
  const values = listOf(node["enum"]).filter((one) => one !== null && !isObject(one));
  if (purpose === "output" && values.length > 0 && values.length <= MAX_ENUM_TOLD) {
    told.push(`One of ${values.map((one) => `\`${String(one)}\``).join(", ")}.`);
  }
  const standard = node["default"];
  if (purpose === "input" && ["string", "number", "boolean"].includes(typeof standard) && standard !== "") {
    // A default of the schema would be sent; some APIs refuse it beside other parameters.
    told.push(`Default: \`${String(standard).slice(0, 100)}\`.`);
  }
  const description = told
    .filter((text) => text !== "")
    .map((text) => (/[.!?:;]$/.test(text) || told.at(-1) === text ? text : `${text}.`))
    .join(" ");
  return {
    ...(description === "" ? {} : { description }),
    ...(node["deprecated"] === true ? { deprecated: true } : {}),
  };
}

function toEnum(node: Node): Schema {
  const values = listOf(node["enum"]);
  if ("const" in node) return { const: node["const"] };
  if (values.length === 0 || values.length > MAX_ENUM) return {};
  const fitting = values.filter((value) => fitsType(value, node));
  if (fitting.length === 0) return {};
  const all = node["nullable"] === true ? [...fitting, null] : fitting;
  return { enum: [...new Set(all)] };
}

function fitsType(value: unknown, node: Node): boolean {
  const type = typeOf(node);
  if (value === null || type === undefined) return true;
  return type === "integer" ? Number.isInteger(value) : type === typeof value;
}

function toBounds(node: Node): Schema {
  const bounds: Schema = {};
  for (const [plain, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const [bound, strict] = [node[plain], node[exclusive]];
    if (isExact(bound)) bounds[strict === true ? exclusive : plain] = bound;
    if (isExact(strict)) bounds[exclusive] = strict;
  }
  if (isExact(node["multipleOf"]) && node["multipleOf"] > 0) bounds["multipleOf"] = node["multipleOf"];
  for (const key of ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]) {
    const bound = node[key];
    if (isExact(bound) && Number.isInteger(bound) && bound >= 0) bounds[key] = bound;
  }
  if (node["uniqueItems"] === true) bounds["uniqueItems"] = true;
  return bounds;
}

/** Checks that a number means the same to every reader of YAML; bounds of 64-bit integers do not. */
function isExact(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function toTextRules({ format, pattern }: Node): Schema {
  const isKnown = FORMATS.some((one) => one === format);
  const isSafe = typeof pattern === "string" && !("refused" in createSafePattern(pattern));
  return { ...(isKnown ? { format } : {}), ...(isSafe ? { pattern } : {}) };
}
