import type { Json } from "../json/types.ts";
import type { UpstreamSecret } from "./secret.ts";

/** MCP server of others whose tools a version calls, as a manifest declares it, with every default filled in. */
export interface Upstream {
  readonly name: string;
  readonly reach: UpstreamReach;
  /** Revision of MCP that was spoken when it was imported. */
  readonly protocol: string;
  /** True if a tool whose texts alone differ from what was imported goes on answering. */
  readonly servesReworded: boolean;
  readonly limits: UpstreamLimits;
  /** Secrets that requests to its URL carry; a command has none. */
  readonly secrets: readonly UpstreamSecret[];
  /** Tools as they were imported, by name. */
  readonly tools: ReadonlyMap<string, FrozenTool>;
  /** The manifest, for diagnostics. */
  readonly file: string;
}

export type UpstreamReach =
  | { readonly kind: "url"; readonly url: string }
  | {
      readonly kind: "command";
      readonly command: readonly string[];
      /** Names of folders that the operator lends it. */
      readonly mounts: readonly string[];
    };

export interface UpstreamLimits {
  /** Milliseconds of one call. */
  readonly time: number;
  /** Bytes of one answer. */
  readonly output: number;
}

/** Tool of an upstream as its server listed it: see `Definition` of `semver/surfaces`. */
export interface FrozenTool {
  /** `sha256:` and the digest of the definition as canonical JSON. */
  readonly digest: string;
  readonly definition: Readonly<Record<string, Json>>;
}
