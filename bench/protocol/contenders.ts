/** Somebody to measure: a server program, and the dialect of MCP in which it is asked. */
export interface Contender {
  readonly name: string;
  /** What it is a variant of; peers count with the fastest of theirs. */
  readonly of: "limit" | "cairn" | "peer";
  readonly peer?: string;
  /** A file under `contenders/`; Cairn has none, since it is started as people start it. */
  readonly program?: string;
  readonly protocol: "2025-06-18" | "2025-11-25" | "2026-07-28";
  readonly accept?: string;
  /** Whether it wants requests to belong to a session. */
  readonly session?: boolean;
  /** Whether each call writes a key of its own, rather than just answering. */
  readonly effects?: boolean;
  /** Whether it also stands for its kind where contenders are measured with many tools. */
  readonly main?: boolean;
}

/** What MCP asks clients to accept. */
export const ACCEPT = "application/json, text/event-stream";

export const LIMIT = "limit";
export const CAIRN = "cairn";

export const CONTENDERS: readonly Contender[] = [
  { name: LIMIT, of: "limit", program: "limit", protocol: "2025-11-25", main: true },
  { name: CAIRN, of: "cairn", protocol: "2025-11-25", main: true },
  { name: "cairn-modern", of: "cairn", protocol: "2026-07-28" },
  { name: "cairn-effects", of: "cairn", protocol: "2025-11-25", effects: true },
  { name: "sdk-v1", of: "peer", peer: "sdk-v1", program: "sdk-v1", protocol: "2025-11-25", main: true },
  { name: "sdk-v2", of: "peer", peer: "sdk-v2", program: "sdk-v2", protocol: "2025-11-25" },
  { name: "sdk-v2-modern", of: "peer", peer: "sdk-v2", program: "sdk-v2", protocol: "2026-07-28", main: true },
  { name: "fastmcp", of: "peer", peer: "fastmcp", program: "fastmcp", protocol: "2025-11-25", main: true },
  { name: "tmcp", of: "peer", peer: "tmcp", program: "tmcp", protocol: "2025-11-25", session: true },
  { name: "tmcp-modern", of: "peer", peer: "tmcp", program: "tmcp", protocol: "2026-07-28", main: true },
  { name: "hono-mcp", of: "peer", peer: "hono-mcp", program: "hono-mcp", protocol: "2025-11-25", main: true },
  { name: "mcp-lite", of: "peer", peer: "mcp-lite", program: "mcp-lite", protocol: "2025-06-18", main: true },
  // MCP lets no client accept only JSON, but this is how mcp-lite answers with it.
  {
    name: "mcp-lite-json",
    of: "peer",
    peer: "mcp-lite",
    program: "mcp-lite",
    protocol: "2025-06-18",
    accept: "application/json",
  },
];
