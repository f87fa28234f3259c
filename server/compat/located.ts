import { canonicalJson } from "../canonical-json.ts";
import { isObject } from "../is-object.ts";
import { listTargets, toTarget } from "../versions/manifests/schema/resolve-reference.ts";

export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema document: what local references in it mean. */
export interface Root {
  readonly targets: ReadonlyMap<string, unknown>;
  /** Canonical JSON of everything that references can lead to. */
  readonly definitions: string;
}

/** A schema at its place: `true` and `false` are schemas, too. */
export interface Located {
  readonly schema: SchemaObject | boolean;
  readonly root: Root;
}

/** Schemas that all apply to the same value; none is "anything". */
export type Conjunction = readonly Located[];

export const ANYTHING: Conjunction = Object.freeze([]);

export function toRoot(schema: unknown): Located {
  const root: Root = { targets: listTargets(schema), definitions: canonicalJson(schema) };
  return locate(schema, root);
}

export function locate(schema: unknown, root: Root): Located {
  return { schema: isObject(schema) || typeof schema === "boolean" ? schema : true, root };
}

/** What `$ref: reference` means at that place; undefined where it leads nowhere. */
export function follow(reference: string, root: Root): Located | undefined {
  const target = root.targets.get(toTarget(reference));
  return target === undefined ? undefined : locate(target, root);
}

/** Whether one of them is `false`. */
export function isNever(conjunction: Conjunction): boolean {
  return conjunction.some(({ schema }) => schema === false);
}

const ANNOTATIONS = new Set(
  "$comment $id $schema contentEncoding contentMediaType contentSchema default deprecated description examples readOnly title writeOnly".split(
    " ",
  ),
);

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}

const texts = new WeakMap<object, string>();

/**
 * A text that is the same for schemas that mean the same because they are written the same, annotations apart. What a
 * reference leads to is part of what a schema means, so documents count where there is one.
 */
export function toText({ schema, root }: Located): string {
  if (typeof schema === "boolean") return String(schema);
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const own = canonicalJson(withoutAnnotations(schema));
  const text = /"\$(?:ref|dynamicRef)"/.test(own) ? `${own} in ${root.definitions}` : own;
  texts.set(schema, text);
  return text;
}

const MAPPINGS = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]);

function withoutAnnotations(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !isAnnotation(keyword))
      .map(([keyword, value]): [string, unknown] => {
        if (keyword === "const" || keyword === "enum" || keyword === "required") return [keyword, value];
        if (MAPPINGS.has(keyword) && isObject(value)) {
          return [
            keyword,
            Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutAnnotations(inner)])),
          ];
        }
        return [keyword, Array.isArray(value) ? value.map(withoutAnnotations) : withoutAnnotations(value)];
      }),
  );
}
