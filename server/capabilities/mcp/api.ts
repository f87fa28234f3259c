import type { Declarations, Grant } from "../declaration.ts";

export interface Mcp {
  /**
   * Calls a tool of an upstream of this version, and resolves with its structured output; of a tool that declares none,
   * with `{ content }`. Returned as it is, MCP clients get the very content that the upstream gave. Needs `mcp`, and the
   * upstream under `upstreams`. Rejects with UPSTREAM_DRIFTED where the tool is not what was imported, with
   * UPSTREAM_TOOL_ERROR where it answers with an error, and with UPSTREAM_ERROR, UPSTREAM_TIMEOUT or EGRESS_DENIED.
   */
  call<Output = Readonly<Record<string, unknown>>>(upstream: string, tool: string, input: unknown): Promise<Output>;
}

/** Answers of another server may differ each time. */
export const MCP_GRANTS = {
  mcp: { breaks: ["deterministic"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.mcp`. Previews call no upstream: a change that nobody has reviewed could name any server or command. */
export const MCP = {
  call: { name: "mcp.call", takes: ["upstream", "tool", "input"], needs: "mcp" },
} as const satisfies Declarations<Mcp, keyof typeof MCP_GRANTS>;
