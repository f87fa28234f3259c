import type { Problem } from "./problem.ts";
import type { Deprecation } from "./retirement/deprecation.ts";

/** Result of reading versions.yaml alone. */
export type LoadedHistory =
  { readonly ok: true; readonly history: History } | { readonly ok: false; readonly problems: readonly Problem[] };

/** versions.yaml of the commit. */
export interface History {
  readonly current: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, HistoryEntry>;
}

export interface HistoryEntry {
  /** Semver or commit that this version was made from; absent for the first. */
  readonly parent?: string;
  /** RFC 3339. */
  readonly date?: string;
  readonly changes: readonly string[];
  /** Breaks that it is released with, although its number says less; absent: none. */
  readonly accepts?: readonly AcceptedBreak[];
  readonly deprecated?: Deprecation;
  /** State of its tag upstream, where that is meant to be so. */
  readonly tag?: { readonly state: "deleted"; readonly reason: string };
}

/** One finding that a version is released with: see docs/semver.md. */
export interface AcceptedBreak {
  /** Rule of the finding. */
  readonly finding: string;
  /** Kind and name of the part of the surface: `tool runner.greet`. */
  readonly of: string;
  /** Member, argument or capability that the finding names, if any. */
  readonly member?: string;
  /** Rule of the schema by which the finding breaks, where findings of several rules are alike in all else. */
  readonly how?: string;
  /** Semver of the version next to which it counts. */
  readonly from: string;
  readonly reason: string;
  readonly by: string;
}
