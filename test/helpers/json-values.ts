import fc from "fast-check";

/** What JSON writes as an escape. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/gu;

/**
 * JSON values for laws about reading them again, with names that need no escapes: V8's JSON.parse may take one that has
 * them for a name that it saw before at the same place (see `server/json/strict-json.ts`).
 */
export function jsonValues(constraints?: fc.JsonSharedConstraints): fc.Arbitrary<unknown> {
  return fc.jsonValue(constraints).map(withPlainNames);
}

/** Names of the same kind. */
export const plainNames = fc.string().map(toPlainName);

function withPlainNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNames);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [toPlainName(name), withPlainNames(inner)]));
}

function toPlainName(name: string): string {
  return name.replaceAll(ESCAPED, "_");
}
