import type { Declarations, Grant } from "../declaration.ts";

export interface Repository {
  /** Finds what depends on files or parts (`tool:runner.chat`, `experiment:chat`, a path), and why. */
  impact(targets: readonly string[]): Promise<{
    readonly affected: readonly AffectedPart[];
    /** Of all, also of those that are not told one by one. */
    readonly total: number;
    readonly sentences: readonly string[];
  }>;
  /** Finds passages of the repository's text for a query, best first. */
  search(
    query: string,
    options?: { readonly limit?: number; readonly under?: string },
  ): Promise<readonly (RepositoryPassage & { readonly score: number; readonly terms: readonly string[] })[]>;
  /**
   * Finds passages by their words and, where the service has a model for vectors, by their meaning; `note` says why meaning did
   * not count. For a deterministic tool it counts never.
   */
  find(
    query: string,
    options?: { readonly limit?: number; readonly under?: string },
  ): Promise<{
    readonly by: "words" | "words and meaning";
    readonly note?: string;
    readonly passages: readonly (RepositoryPassage & { readonly score: number; readonly terms: readonly string[] })[];
  }>;
  /** Gathers the context for the plan of an objective, as `find` finds it. */
  context(
    objective: string,
    options?: { readonly files?: readonly string[]; readonly limit?: number },
  ): Promise<{
    readonly referenced_context: readonly (RepositoryPassage & { readonly reason: string })[];
    readonly impact: readonly {
      readonly of: string;
      readonly sentence: string;
      readonly total: number;
      readonly affected: readonly AffectedPart[];
    }[];
    readonly warnings: readonly string[];
    readonly suggested_files: readonly string[];
    readonly searched_by: "words" | "words and meaning";
  }>;
  /**
   * Plans the objective of a run's task from its words: by what can be read in them, or with the service's model. Changes
   * nothing. Takes minutes at most. Needs `workspace.read`.
   */
  plan(runId: string): Promise<RunPlan>;
  /** Checks that the workspace of a run still makes a version. Needs `workspace.read`. */
  validate(runId: string): Promise<{ readonly problems: readonly string[] }>;
  /** Tries the workspace of a run as a change of the Architect is tried. Takes minutes at most. Needs `workspace.read`. */
  verify(runId: string): Promise<RunVerification>;
}

/** Plan of the service for an objective in words. */
export interface RunPlan {
  /** The one to carry it out: the service, with `diff`, or a worker, for the reasons in `why`. */
  readonly by: "service" | "worker";
  /** Planner whose answer it is, such as `directives`, `wishes`, `evidence` or `model`; null where none had one. */
  readonly planner: string | null;
  /** Changes that it makes, a sentence each. */
  readonly changes: readonly string[];
  /** Paths of the files that change. */
  readonly files: readonly string[];
  /** Unified diff against the run's commit; empty where a worker carries it out. */
  readonly diff: string;
  /** Reasons why the service does not carry it out, in sentences. */
  readonly why: readonly string[];
  /** Reasons why somebody has to approve it, in sentences. */
  readonly doubts: readonly string[];
  /** Question about the objective, with what it may mean; absent: there is none. */
  readonly question?: PlanQuestion;
}

/** Question of the planners about an objective. */
export interface PlanQuestion {
  readonly text: string;
  /** Things that the objective may mean, to choose from. */
  readonly readings?: readonly { readonly id: string; readonly title: string }[];
}

export interface RunVerification {
  readonly status: "passed" | "failed";
  /** `skipped`: nothing was tried, and `message` says why. `warning`: what was found does not hold the run up. */
  readonly checks: readonly {
    readonly name: string;
    readonly status: "passed" | "failed" | "skipped" | "warning";
    readonly message: string;
    /** Declared commands or examples that ran; absent for checks of other kinds. */
    readonly ran?: number;
    /** Those that did not, because what they ask could not be had. */
    readonly skipped?: number;
  }[];
}

export interface AffectedPart {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface RepositoryPassage {
  readonly path: string;
  readonly from_line: number;
  readonly to_line: number;
  readonly text: string;
}

/** Reads nothing but the commit that the version is, so that it breaks no promise. */
export const REPOSITORY_GRANTS = {
  "repository.read": { breaks: [] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.repository`. */
export const REPOSITORY = {
  impact: { name: "repository.impact", takes: ["targets"], needs: "repository.read" },
  search: { name: "repository.search", takes: ["query", ["limit?", "under?"]], needs: "repository.read" },
  find: { name: "repository.find", takes: ["query", ["limit?", "under?"]], needs: "repository.read" },
  context: { name: "repository.context", takes: ["objective", ["files?", "limit?"]], needs: "repository.read" },
  plan: { name: "repository.plan", takes: ["runId"], needs: "workspace.read" },
  validate: { name: "repository.validate", takes: ["runId"], needs: "workspace.read" },
  verify: { name: "repository.verify", takes: ["runId"], needs: "workspace.read" },
} as const satisfies Declarations<Repository, keyof typeof REPOSITORY_GRANTS | "workspace.read">;
