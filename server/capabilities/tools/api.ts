import type { Declarations, Grant } from "../declaration.ts";
import type { JsonSchema } from "../model/api.ts";

export interface Tools {
  /** The tools of this version, except the calling one. Needs `tools.list`. */
  list(): Promise<readonly ToolInfo[]>;
  /** Calls one of them as the same principal and returns its output. Needs `tools.call`. */
  call<T = unknown>(name: string, input: unknown): Promise<T>;
}

export interface ToolInfo {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly sideEffect: boolean;
  readonly examples: readonly { readonly description?: string; readonly input: unknown }[];
}

/** A called tool keeps the promises of its caller: that is for `tools.call` to see to. */
export const TOOLS_GRANTS = {
  "tools.list": { breaks: [] },
  "tools.call": { breaks: [] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.tools`. */
export const TOOLS = {
  list: { name: "tools.list", needs: "tools.list", inPreviews: true },
  call: { name: "tools.call", takes: ["name", "input"], needs: "tools.call", inPreviews: true },
} as const satisfies Declarations<Tools, keyof typeof TOOLS_GRANTS>;
