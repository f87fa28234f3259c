import { isObject } from "../../json/is-object.ts";
import { listTargets, toTarget } from "../../json/resolve-reference.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Side that reads a type: a handler finds defaults filled in, and its callers may leave those members out. */
export type Reader = "handler" | "caller";

interface Writing {
  readonly targets: ReadonlyMap<string, unknown>;
  readonly reader: Reader;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const SIMPLE: Readonly<Record<string, string>> = {
  boolean: "boolean",
  integer: "number",
  null: "null",
  number: "number",
  string: "string",
};
/** Values of an enumeration that a type lists. */
const MAX_VALUES = 100;

/** Tool as far as its types go. */
export interface TypedTool {
  /** Name of its files. */
  readonly stem: string;
  readonly input: unknown;
  readonly output: unknown;
}

/** File of a server's types, beside its handlers. */
export function toTypesPath(server: string): string {
  return `tools/${server}/_types.d.ts`;
}

/** Writes the types of inputs and outputs of one server's tools, as their handlers see them. */
export function writeTypes(tools: readonly TypedTool[]): string {
  const types = [...tools]
    .sort((a, b) => (a.stem < b.stem ? -1 : 1))
    .map(({ stem, input, output }) => {
      const name = toTypeName(stem);
      return `export type ${name}Input = ${toType(input, "handler")};\n\nexport type ${name}Output = ${toType(output, "handler")};\n`;
    });
  return `// Written by \`cairn types\` from the manifests; a change here is lost.\n\n${types.join("\n")}`;
}

/** Names a type after a tool: `get_weather` becomes `GetWeather`. */
export function toTypeName(stem: string): string {
  const name = stem.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return /^\d/.test(name) ? `_${name}` : name;
}

/**
 * Writes a JSON Schema as a TypeScript type. A type says less than its schema: bounds, patterns and formats are checked when a
 * call comes, and a part that contains itself is `unknown`.
 */
export function toType(schema: unknown, reader: Reader, indent = ""): string {
  const targets = isObject(schema) ? listTargets(schema) : new Map<string, unknown>();
  return write({ targets, reader }, schema, indent, []);
}

function write(writing: Writing, schema: unknown, indent: string, path: readonly unknown[]): string {
  if (schema === false) return "never";
  if (!isObject(schema) || path.includes(schema)) return "unknown";
  const inner = [...path, schema];
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    return intersect([
      write(writing, writing.targets.get(toTarget(reference)), indent, inner),
      withoutReference(writing, schema, indent, path),
    ]);
  }
  if ("const" in schema) return literal(schema["const"]);
  const values = schema["enum"];
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_VALUES) return unite(values.map(literal));
  const parts = [writeOwn(writing, schema, indent, inner)];
  for (const keyword of ["anyOf", "oneOf"]) {
    const alternatives = schema[keyword];
    if (Array.isArray(alternatives))
      parts.push(unite(alternatives.map((one: unknown) => write(writing, one, indent, inner))));
  }
  const all = schema["allOf"];
  if (Array.isArray(all)) parts.push(...all.map((one: unknown) => write(writing, one, indent, inner)));
  return intersect(parts);
}

function withoutReference(writing: Writing, schema: Schema, indent: string, path: readonly unknown[]): string {
  const { $ref: _reference, ...rest } = schema;
  return write(writing, rest, indent, path);
}

function writeOwn(writing: Writing, schema: Schema, indent: string, path: readonly unknown[]): string {
  const type =
    schema["type"] ?? (isObject(schema["properties"]) ? "object" : isObject(schema["items"]) ? "array" : undefined);
  const types = (Array.isArray(type) ? type : [type]).map((one) => {
    if (one === "object") return writeMembers(writing, schema, indent, path);
    if (one === "array") return writeList(writing, schema, indent, path);
    return SIMPLE[String(one)] ?? "unknown";
  });
  return unite(types);
}

function writeList(writing: Writing, schema: Schema, indent: string, path: readonly unknown[]): string {
  const item = "items" in schema ? write(writing, schema["items"], indent, path) : "unknown";
  const first = schema["prefixItems"];
  if (Array.isArray(first)) {
    const items = first.map((one: unknown) => write(writing, one, indent, path));
    return `readonly [${items.map((one) => `(${one})?`).join(", ")}${schema["items"] === false ? "" : `, ...(${item})[]`}]`;
  }
  return /^[\w$]+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function writeMembers(writing: Writing, schema: Schema, indent: string, path: readonly unknown[]): string {
  const { properties, required, additionalProperties: others } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => {
    const node = isObject(value) ? value : {};
    const isFilled = writing.reader === "handler" && "default" in node;
    const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
    const text = `${key}${needed.has(name) || isFilled ? "" : "?"}: ${write(writing, value, `${indent}  `, path)};`;
    return `${writeComment(node, `${indent}  `)}${indent}  ${text}\n`;
  });
  const rest = isObject(others) ? write(writing, others, indent, path) : "unknown";
  if (members.length === 0)
    return others === false ? "Readonly<Record<string, never>>" : `Readonly<Record<string, ${rest}>>`;
  const own = `{\n${members.join("")}${indent}}`;
  return others === true || isObject(others) ? `${own} & Readonly<Record<string, unknown>>` : own;
}

function writeComment(node: Schema, indent: string): string {
  const { description } = node;
  const told =
    typeof description === "string" ? description.replaceAll(/\s+/g, " ").replaceAll("*/", "* /").trim() : "";
  const text = [told, node["deprecated"] === true ? "@deprecated" : ""].filter(Boolean).join(" ");
  return text === "" ? "" : `${indent}/** ${text} */\n`;
}

function literal(value: unknown): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

function unite(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown") || distinct.length === 0) return "unknown";
  return distinct.join(" | ");
}

function intersect(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== "unknown");
  if (distinct.length < 2) return distinct[0] ?? "unknown";
  return distinct.map((type) => (type.includes(" | ") ? `(${type})` : type)).join(" & ");
}
