/** Revisions of MCP without a handshake: each request says what it speaks. */
const MODERN_REVISIONS = ["2026-07-28"] as const;

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The member of a request's `_meta` in which a modern client says what it speaks. */
export const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

/** The member of a modern result's `_meta` that says who answered. */
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

export const REVISIONS: readonly string[] = [...MODERN_REVISIONS, ...LEGACY_REVISIONS];

/** Revision of a legacy client that sends no header; revisions before 2025-06-18 had none. */
export const HEADERLESS_REVISION = "2025-03-26";

export function isModern(revision: string): boolean {
  return (MODERN_REVISIONS as readonly string[]).includes(revision);
}

export function isLegacy(revision: string): boolean {
  return (LEGACY_REVISIONS as readonly string[]).includes(revision);
}
