import { createHash } from "node:crypto";

/** Bytes of the hash that a tag keeps: enough that no two bodies will ever share one. */
const TAG_BYTES = 16;

/** Digests bytes into letters that an entity tag need not escape. */
export function digestBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest().subarray(0, TAG_BYTES).toString("base64url");
}

/**
 * Checks that the value of If-None-Match names `tag`, which is strong, or `*` (RFC 9110, 13.1.2). A value that is no list
 * of tags names none, so that its sender gets the whole answer.
 */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  // Not split at commas, because a tag may hold some.
  const items = [...header.matchAll(/[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/gy)];
  const read = items.reduce((length, [item]) => length + item.length, 0);
  return read === header.length && items.some(([, opaque]) => opaque === tag);
}
