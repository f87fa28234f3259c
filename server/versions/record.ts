import type { Deprecation } from "./retirement/deprecation.ts";
import type { Problem } from "./problem.ts";

export type VersionState =
  /** Not inspected yet. */
  | "unverified"
  | "served"
  /** Nothing is wrong with it, but no served tag leads to it: it can be read and compared, and answers no calls. */
  | "unserved"
  /** The head of a pull request that may be tried, over a store of its own. */
  | "preview"
  /** Something is wrong with it: listed with the unstable ones, never served. */
  | "quarantined";

/** State of the comparison between a version's content and its number. */
export type ClaimState =
  /** Not compared yet, or made from a version that is not here. */
  | "unproven"
  /** First version: names no parent. */
  | "first"
  | "proven"
  /** The number says less than the change needs. */
  | "under-claimed";

/** Record of one version, made without opening it. */
export interface VersionRecord {
  readonly commit: string;
  /** The tag that names it: `v1.6.0+warm-start`. Pull request heads and bare commits have none. */
  readonly tag?: string;
  /** Without build name; absent only where neither a tag nor a readable tree tells it. */
  readonly semver?: string;
  readonly build?: string;
  readonly prerelease: boolean;
  /** RFC 3339: when an annotated tag was made, else when the commit was. */
  readonly createdAt: string;
  readonly state: VersionState;
  /** Reasons of the quarantine. */
  readonly problems: readonly Problem[];
  readonly alarms: readonly Alarm[];
  /** Labels of the default branch's versions.yaml that mean this version. */
  readonly labels: readonly string[];
  readonly pullRequest?: number;
  /** True if versions.yaml accepts breaks that its number does not say; absent: none, or not known yet. */
  readonly acceptsBreaks?: boolean;
  /** End of its service, as the default branch announces it. */
  readonly deprecated?: Deprecation;
  readonly claim: ClaimState;
  /** Version that it was made from, by the name in its versions.yaml; absent: none, or not known. */
  readonly parent?: string;
  /** Names of its MCP servers that answer; empty unless it is served, or a preview. */
  readonly servers: readonly string[];
}

/** Someone upstream broke the promise that a tag stays what it is; Cairn keeps serving what it first was. */
export type Alarm =
  | { readonly kind: "moved"; readonly commit: string; readonly upstreamCommit: string; readonly since: string }
  | { readonly kind: "deleted"; readonly commit: string; readonly since: string };
