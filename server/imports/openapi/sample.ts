import { createSafePattern } from "../../json/safe-pattern.ts";
import { listOf, type Node, nodeOf } from "./document.ts";

/** Members that a sample has: those that are required, or all. */
export type Extent = "required" | "all";

const MAX_DEPTH = 6;
const BY_FORMAT: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  duration: "P1D",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  "json-pointer": "/a",
  regex: "a",
  "relative-json-pointer": "0",
  time: "12:00:00Z",
  uri: "https://example.com/",
  "uri-reference": "/a",
  "uri-template": "/a",
  uuid: "11111111-1111-4111-8111-111111111111",
};
/** Texts that fit many of the patterns that documents have. */
const CANDIDATES = [
  ..."text a A 1 12 123 1234 12345 a1 abc-1 ABC AB ab 0 USD en en-US EUR 1.0 1.0.0 v1 #000000 000000 12:00 +15555550123 15555550123 me * name:asc a:b a/b a=b 0123456789 01234567890123456789 0123456789abcdef 0123456789abcdef01234567 T01234567 C01234567 user@example.com 0123456789abcdef0123456789abcdef 0123456789abcdef0123456789abcdef01234567 xn--a example.com arn:aws:iam::123456789012:user/a".split(
    " ",
  ),
  ...Object.values(BY_FORMAT),
];

/** Makes a value that fits a converted schema, the same value each time. Patterns are met as far as a known text fits. */
export function sampleOf(schema: unknown, extent: Extent, depth = 0): unknown {
  const node = nodeOf(schema);
  if ("const" in node) return node["const"];
  const values = listOf(node["enum"]);
  if (values.length > 0) return values.find((one) => one !== null) ?? null;
  const alternatives = listOf(node["anyOf"]);
  const chosen = alternatives.find((one) => nodeOf(one)["type"] !== "null");
  if (chosen !== undefined && node["type"] !== "object")
    return sampleOf({ ...node, anyOf: undefined, ...nodeOf(chosen) }, extent, depth);
  const type = [node["type"]].flat().find((one) => one !== "null");
  if (type === "object") return sampleObject(node, chosen, extent, depth);
  if (type === "array") return sampleList(node, extent, depth);
  if (type === "integer" || type === "number") return sampleNumber(node, type === "integer");
  if (type === "boolean") return true;
  return type === "string" || type === undefined ? sampleText(node) : null;
}

function sampleObject(node: Node, chosen: unknown, extent: Extent, depth: number): Node {
  const properties = { ...nodeOf(nodeOf(chosen)["properties"]), ...nodeOf(node["properties"]) };
  const required = new Set([...listOf(node["required"]), ...listOf(nodeOf(chosen)["required"])]);
  const least = typeof node["minProperties"] === "number" ? node["minProperties"] : 0;
  const names = Object.keys(properties);
  const kept = names.filter(
    (name, index) => required.has(name) || (extent === "all" && depth < MAX_DEPTH) || index < least,
  );
  const members = kept.map((name): [string, unknown] => [name, sampleOf(properties[name], extent, depth + 1)]);
  for (let index = members.length; index < least; index++)
    members.push([`name${index}`, sampleOf(node["additionalProperties"], extent, depth + 1)]);
  return Object.fromEntries(members);
}

function sampleList(node: Node, extent: Extent, depth: number): readonly unknown[] {
  const least = typeof node["minItems"] === "number" ? node["minItems"] : 0;
  const item = sampleOf(node["items"], depth > MAX_DEPTH ? "required" : extent, depth + 1);
  const count = Math.min(Math.max(least, node["maxItems"] === 0 || depth > MAX_DEPTH ? 0 : 1), 100);
  return Array.from({ length: count }, (_, index) =>
    node["uniqueItems"] === true && index > 0 && typeof item === "string" ? `${item}${index}` : item,
  );
}

function sampleNumber(node: Node, isInteger: boolean): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = node;
  const least =
    typeof minimum === "number"
      ? minimum
      : typeof exclusiveMinimum === "number"
        ? exclusiveMinimum + (isInteger ? 1 : 0.5)
        : undefined;
  const most =
    typeof maximum === "number"
      ? maximum
      : typeof exclusiveMaximum === "number"
        ? exclusiveMaximum - (isInteger ? 1 : 0.5)
        : undefined;
  let value = Math.min(Math.max(1, least ?? 1), most ?? Infinity);
  if (typeof multipleOf === "number") value = Math.ceil(value / multipleOf) * multipleOf;
  return isInteger ? Math.ceil(value) : value;
}

function sampleText(node: Node): string {
  const { format, pattern, minLength = 0, maxLength = Infinity } = node;
  const isLong = (text: string) => text.length >= Number(minLength) && text.length <= Number(maxLength);
  if (typeof format === "string" && BY_FORMAT[format] !== undefined) return BY_FORMAT[format];
  const compiled = typeof pattern === "string" ? createSafePattern(pattern) : undefined;
  const fits = (text: string) =>
    isLong(text) && (compiled === undefined || "refused" in compiled || compiled.test(text));
  const found = CANDIDATES.find(fits);
  return (
    found ??
    "text"
      .repeat(Math.ceil(Number(minLength) / 4) || 1)
      .slice(0, Math.min(Number(maxLength), Math.max(4, Number(minLength))))
  );
}
