import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import { type SchemaNode, subschemas } from "../../json/schema-keywords.ts";
import { createMemory, type Located } from "./located.ts";

const WITHOUT_MEANING = new Set(
  (
    "$anchor $comment $defs $dynamicAnchor $id $schema contentEncoding contentMediaType contentSchema default " +
    "definitions deprecated description examples readOnly title writeOnly"
  ).split(" "),
);

/** Checks that a keyword alone decides nothing about the validity of a value. */
export function isWithoutMeaning(keyword: string): boolean {
  return WITHOUT_MEANING.has(keyword) || keyword.startsWith("x-");
}

/** Checks that a schema plainly allows every value. */
export function allowsAll(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isWithoutMeaning));
}

const texts = createMemory<string>();
const documents = new WeakMap<object, string>();

/**
 * A text that is the same only for schemas that mean the same because they are written the same, annotations apart. What
 * a reference leads to is part of what a schema means, so the whole document counts where there is one.
 */
export function toText(located: Located): string {
  const { schema, root } = located;
  if (typeof schema === "boolean") return String(schema);
  const known = texts.get(located);
  if (known !== undefined) return known;
  const own = canonicalJson(strip(schema, isWithoutMeaning));
  const text = /"\$(?:ref|dynamicRef)"/.test(own) ? `${own} in ${toDocumentText(root.document)}` : own;
  texts.set(located, text);
  return text;
}

/** References may lead to `$defs` and anchors, so these are part of a document. */
function toDocumentText(document: unknown): string {
  if (!isObject(document) && !Array.isArray(document)) return String(document);
  const known = documents.get(document);
  if (known !== undefined) return known;
  const isNeeded = /^(?:\$defs|definitions|\$anchor|\$dynamicAnchor)$/;
  const isLeftOut = (keyword: string) => isWithoutMeaning(keyword) && !isNeeded.test(keyword);
  const text = isObject(document) ? canonicalJson(strip(document, isLeftOut)) : canonicalJson(document);
  documents.set(document, text);
  return text;
}

function strip(node: SchemaNode, isLeftOut: (keyword: string) => boolean): SchemaNode {
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (!isLeftOut(keyword)) copy[keyword] = Array.isArray(value) ? [...value] : isObject(value) ? { ...value } : value;
  }
  for (const { keyword, schema, path } of subschemas(node)) {
    if (isLeftOut(keyword) || !isObject(schema)) continue;
    const [, step] = path;
    if (step === undefined) copy[keyword] = strip(schema, isLeftOut);
    else (copy[keyword] as Record<string | number, unknown>)[step] = strip(schema, isLeftOut);
  }
  return copy;
}
