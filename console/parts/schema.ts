/** A JSON Schema as an object; `true` stands as an empty one. */
export type Schema = Readonly<Record<string, unknown>>;

/** References that are followed from one to the next. */
const MAX_HOPS = 8;

/** Checks for an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a part of a schema, and follows its references within the root. What leads nowhere says nothing. */
export function toSchema(value: unknown, root: Schema): Schema {
  let schema = isObject(value) ? value : {};
  for (let hop = 0; hop < MAX_HOPS && typeof schema["$ref"] === "string"; hop += 1) {
    const { $ref, ...rest } = schema;
    schema = { ...find($ref, root), ...rest };
  }
  return schema;
}

/** Lists the properties of a schema of objects. */
export function listProperties(schema: Schema, root: Schema): readonly (readonly [string, Schema])[] {
  const own = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  return own.map(([name, value]) => [name, toSchema(value, root)] as const);
}

/** Lists the names of properties that must be there. */
export function listRequired(schema: Schema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** Finds the target of a reference such as `#/$defs/name`. */
function find(reference: unknown, root: Schema): Schema {
  if (typeof reference !== "string" || !reference.startsWith("#")) return {};
  let value: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const name = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = value[Number(name)] as unknown;
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return isObject(value) ? value : {};
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Then it is no escape, but the name as it is.
    return part;
  }
}
