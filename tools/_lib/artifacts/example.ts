import { isRecord } from "./is-record.ts";

/** Deeper parts of a schema are filled with null. */
const MAX_DEPTH = 8;

/**
 * A value that a schema most likely takes: made of what the schema itself gives (`examples`, `default`, `const`, `enum`),
 * otherwise the simplest of its type. Whoever shows it checks it first.
 */
export function toExample(schema: unknown): unknown {
  return make(schema, schema, 0);
}

function make(node: unknown, root: unknown, depth: number): unknown {
  if (!isRecord(node) || depth > MAX_DEPTH) return null;
  for (const given of [node["examples"], node["enum"]]) if (Array.isArray(given) && given.length > 0) return given[0];
  if ("default" in node) return node["default"];
  if ("const" in node) return node["const"];
  const reference = node["$ref"];
  if (typeof reference === "string") return make(follow(root, reference), root, depth + 1);
  for (const choice of [node["anyOf"], node["oneOf"]]) {
    if (Array.isArray(choice) && choice.length > 0)
      return make({ ...without(node), ...Object(choice[0]) }, root, depth + 1);
  }
  if (Array.isArray(node["allOf"])) {
    return make(node["allOf"].reduce(merge, without(node)), root, depth + 1);
  }
  const { type } = node;
  switch (Array.isArray(type) ? type[0] : (type ?? (isRecord(node["properties"]) ? "object" : undefined))) {
    case "string":
      return makeString(node);
    case "integer":
    case "number":
      return makeNumber(node);
    case "boolean":
      return true;
    case "array":
      return makeArray(node, root, depth);
    case "object":
      return makeObject(node, root, depth);
    default:
      return null;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  duration: "P1D",
  email: "somebody@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  "json-pointer": "/a",
  regex: "a",
  "relative-json-pointer": "0",
  time: "12:00:00Z",
  uri: "https://example.com/",
  "uri-reference": "/a",
  "uri-template": "/{a}",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

function makeString({ format, minLength, maxLength }: Readonly<Record<string, unknown>>): string {
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const text = known ?? "text";
  const least = Number(minLength ?? 0);
  const most = Number(maxLength ?? Infinity);
  return text.length < least ? text.padEnd(Math.min(least, 1_000), "x") : text.slice(0, most);
}

function makeNumber(node: Readonly<Record<string, unknown>>): number {
  const number = (key: string) => (typeof node[key] === "number" ? node[key] : undefined);
  const step = number("multipleOf") ?? 1;
  const above = number("exclusiveMinimum");
  const below = number("exclusiveMaximum");
  const least = Math.max(number("minimum") ?? -Infinity, above === undefined ? -Infinity : above + step);
  const most = Math.min(number("maximum") ?? Infinity, below === undefined ? Infinity : below - step);
  if (least <= 1 && most >= 1 && step === 1) return 1;
  if (least > -Infinity) return Math.ceil(least / step) * step;
  return most < Infinity ? Math.floor(most / step) * step : step;
}

function makeArray(node: Readonly<Record<string, unknown>>, root: unknown, depth: number): unknown[] {
  const first = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : [];
  const count = Math.min(Math.max(Number(node["minItems"] ?? 0), first.length, 1), 20);
  return Array.from({ length: count }, (_, index) => make(first[index] ?? node["items"], root, depth + 1));
}

/** Makes an object with its required members, and the first of the others. */
function makeObject(node: Readonly<Record<string, unknown>>, root: unknown, depth: number): Record<string, unknown> {
  const properties = isRecord(node["properties"]) ? node["properties"] : {};
  const required = Array.isArray(node["required"]) ? node["required"].map(String) : [];
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, make(Object.hasOwn(properties, name) ? properties[name] : {}, root, depth + 1)]),
  );
}

function follow(root: unknown, reference: string): unknown {
  let node = root;
  for (const step of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    node = isRecord(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return node;
}

function without({ anyOf: _any, oneOf: _one, allOf: _all, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest;
}

function merge(one: object, other: unknown): object {
  if (!isRecord(other)) return one;
  const before: Readonly<Record<string, unknown>> = { ...one };
  const lists = [before["required"], other["required"]].flatMap((list) => (Array.isArray(list) ? list : []));
  const properties = { ...Object(before["properties"]), ...Object(other["properties"]) };
  return {
    ...before,
    ...other,
    ...(lists.length > 0 ? { required: [...new Set(lists)] } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
}
