/** Types of `ctx.fs`, `ctx.exec`, `ctx.git` and `ctx.repository`. */

/** Paths are relative to the workspace, with `/`. A run may write only what its `plan.json` names. */
export interface FileSystem {
  read(runId: string, path: string): Promise<{ readonly content: string; readonly executable: boolean }>;
  /** What stands in a folder; folders end with `/`. */
  list(runId: string, path?: string): Promise<readonly string[]>;
  writeFile(runId: string, path: string, content: string): Promise<{ readonly path: string; readonly bytes: number }>;
  /** A unified diff, whole or not at all. */
  applyPatch(runId: string, patch: string): Promise<PatchReport>;
  /** Everything as it was in the commit that the run began with. */
  reset(runId: string): Promise<void>;
}

export interface PatchReport {
  readonly status: "applied" | "rejected";
  readonly files: readonly PatchedFile[];
}

export interface PatchedFile {
  readonly path: string;
  readonly status: string;
  readonly message?: string;
}

export interface Execution {
  /** `command` is the program and its arguments; no shell reads it. Milliseconds of `timeout`. */
  run(
    runId: string,
    command: readonly string[],
    options?: { readonly cwd?: string; readonly stdin?: string; readonly timeout?: number },
  ): Promise<ExecutionResult>;
}

export interface ExecutionResult {
  /** Null when a limit ended it. */
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** The limits that it came up against. */
  readonly limits_hit: readonly string[];
  readonly timed_out: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  readonly duration_ms: number;
  /** What it tried to reach, each once; a policy names the hosts that it may. */
  readonly connections: readonly {
    readonly host: string;
    readonly port: number;
    readonly allowed: boolean;
    readonly reason?: string;
  }[];
}

export interface Git {
  /** What differs from the commit that the run began with. */
  status(runId: string): Promise<readonly { readonly path: string; readonly status: string }[]>;
  diff(runId: string): Promise<{ readonly diff: string; readonly truncated: boolean }>;
  /** Refused when anything but `allowedFiles` has changed. */
  commit(
    runId: string,
    request: { readonly message: string; readonly allowedFiles: readonly string[] },
  ): Promise<{ readonly commit: string }>;
}

export interface Repository {
  /** What depends on files or parts (`tool:runner.chat`, `experiment:chat`, a path), and why. */
  impact(targets: readonly string[]): Promise<{
    readonly affected: readonly AffectedPart[];
    /** Of all, also of those that are not told one by one. */
    readonly total: number;
    readonly sentences: readonly string[];
  }>;
  search(
    query: string,
    options?: { readonly limit?: number; readonly under?: string },
  ): Promise<readonly (RepositoryPassage & { readonly score: number; readonly terms: readonly string[] })[]>;
  /** What a plan for an objective should know. */
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
  }>;
  /** Whether the workspace of a run still makes a version. Needs `workspace.read`. */
  validate(runId: string): Promise<{ readonly problems: readonly string[] }>;
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
