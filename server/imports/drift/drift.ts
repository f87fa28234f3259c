import type { Level } from "../../semver/level.ts";

/** Import of a repository: a lock of an OpenAPI document, or the upstream of an MCP server. */
export interface ImportName {
  readonly kind: "openapi" | "mcp";
  readonly name: string;
}

/** Files of a change by path; null: the file goes away. */
export type DriftFiles = ReadonlyMap<string, string | null>;

/** Difference between the source of an import and what the repository has frozen of it, as a change that could be made. */
export interface Drift extends ImportName {
  /** File, address or command that was imported. */
  readonly from: string;
  /** SHA-256 of what the source has of the import: another only if that is. */
  readonly fingerprint: string;
  /** Tools by what becomes of them, by the names that callers use. */
  readonly tools: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** Only their texts are others. */
    readonly reworded: readonly string[];
    readonly changed: readonly string[];
  };
  /** The least bump that the difference needs, as proven. */
  readonly bump: Level;
  readonly before: string;
  readonly after: string;
  /** The largest bump first. */
  readonly findings: readonly DriftFinding[];
  readonly files: DriftFiles;
  /** Difference of these files, as git writes it. */
  readonly diff: string;
  /** Sentences on what both people and the source changed, and on what could not be taken over. */
  readonly notes: readonly string[];
  readonly examples: DriftExamples;
}

export interface DriftFinding {
  readonly level: Level;
  readonly rule: string;
  readonly message: string;
  /** The smallest example, with what happened before and what happens after. */
  readonly witness?: string;
}

export interface DriftExamples {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Reasons of those that failed. */
  readonly reasons: readonly string[];
}

/** State of one import next to its source. */
export type DriftState = ImportName & { readonly from: string } & (
    | { readonly state: "unchanged"; readonly unimported: readonly string[] }
    | { readonly state: "drifted"; readonly drift: Drift; readonly unimported: readonly string[] }
    /** The source was not read, or what it says makes no version here. */
    | { readonly state: "failed"; readonly reason: string; readonly conflicts?: readonly string[] }
  );
