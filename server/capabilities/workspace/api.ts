/** Types of `ctx.fs`, `ctx.exec` and `ctx.git`. */

import type { Declarations, Grant } from "../declaration.ts";

/** Paths are relative to the workspace, with `/`. A run may write only what its `plan.json` names. */
export interface FileSystem {
  /** Reads a text file. */
  read(runId: string, path: string): Promise<{ readonly content: string; readonly executable: boolean }>;
  /** Lists a folder; names of folders end with `/`. */
  list(runId: string, path?: string): Promise<readonly string[]>;
  /** Writes a text file, whole. */
  writeFile(runId: string, path: string, content: string): Promise<{ readonly path: string; readonly bytes: number }>;
  /** Applies a unified diff, whole or not at all. */
  applyPatch(runId: string, patch: string): Promise<PatchReport>;
  /** Makes everything as it was in the commit that the run began with. */
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
  /** Runs a program to its end. `command` is the program and its arguments; no shell reads it. Milliseconds of `timeout`. */
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
  /** Hosts that it tried to reach, each once; a policy names the hosts that it may reach. */
  readonly connections: readonly {
    readonly host: string;
    readonly port: number;
    readonly allowed: boolean;
    readonly reason?: string;
  }[];
}

export interface Git {
  /** Lists the differences from the commit that the run began with. */
  status(runId: string): Promise<readonly { readonly path: string; readonly status: string }[]>;
  /** Shows the differences from the commit that the run began with, as a unified diff; `truncated` where it was cut off. */
  diff(runId: string): Promise<{ readonly diff: string; readonly truncated: boolean }>;
  /** Commits the changes; refused when anything but `allowedFiles` has changed. */
  commit(
    runId: string,
    request: { readonly message: string; readonly allowedFiles: readonly string[] },
  ): Promise<{ readonly commit: string }>;
}

export const WORKSPACE_GRANTS = {
  "workspace.read": { breaks: ["deterministic", "no tenant"] },
  "workspace.write": { breaks: ["deterministic", "no side effect", "no tenant"] },
  "workspace.exec": { breaks: ["deterministic", "no side effect", "no tenant"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.fs`. */
export const FILES = {
  read: { name: "fs.read", takes: ["runId", "path"], needs: "workspace.read" },
  list: { name: "fs.list", takes: ["runId", "path?"], needs: "workspace.read" },
  writeFile: { name: "fs.write_file", takes: ["runId", "path", "content"], needs: "workspace.write", mutates: true },
  applyPatch: { name: "fs.apply_patch", takes: ["runId", "patch"], needs: "workspace.write", mutates: true },
  reset: { name: "fs.reset", takes: ["runId"], needs: "workspace.write", mutates: true },
} as const satisfies Declarations<FileSystem, keyof typeof WORKSPACE_GRANTS>;

/** `ctx.exec`. */
export const EXECUTION = {
  run: {
    name: "exec.run",
    takes: ["runId", "command", ["cwd?", "stdin?", "timeout?"]],
    needs: "workspace.exec",
    mutates: true,
  },
} as const satisfies Declarations<Execution, keyof typeof WORKSPACE_GRANTS>;

/** `ctx.git`. */
export const GIT = {
  status: { name: "git.status", takes: ["runId"], needs: "workspace.read" },
  diff: { name: "git.diff", takes: ["runId"], needs: "workspace.read" },
  commit: {
    name: "git.commit",
    takes: ["runId", ["message", "allowedFiles"]],
    needs: "workspace.write",
    mutates: true,
  },
} as const satisfies Declarations<Git, keyof typeof WORKSPACE_GRANTS>;
