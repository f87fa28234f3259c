const MB = 1024 * 1024;

/** Limits of a workspace and of one operation in it. Sizes are bytes. */
export const WORKSPACE_LIMITS = Object.freeze({
  pathBytes: 1_024,
  nameBytes: 255,
  depth: 32,
  readBytes: MB,
  writeBytes: MB,
  listedNames: 5_000,
  patchBytes: MB,
  patchedFiles: 200,
  /** Of the commit a workspace is made from. */
  files: 50_000,
  bytes: 512 * MB,
  changedFiles: 2_000,
  /** Of all files that git reads to say what changed: those of a commit, and what was added. */
  readByGit: 640 * MB,
  diffBytes: MB,
  messageBytes: 16 * 1024,
});

/** Limits of one command; a request can lower them. Times are milliseconds, sizes bytes. */
export interface CommandLimits {
  readonly wallMs: number;
  /** Processor seconds of each process. */
  readonly cpuSeconds: number;
  /** Private memory that each process may ask for; Node 24 asks for 560 MB of it, and again for each worker. */
  readonly processBytes: number;
  /** Memory that all processes together may hold. */
  readonly memoryBytes: number;
  readonly processes: number;
  readonly openFiles: number;
  /** Of each file that is written. */
  readonly fileBytes: number;
  /** Of all files in the workspace. */
  readonly workspaceBytes: number;
  readonly workspaceFiles: number;
  /** Of `/tmp`, which is memory. */
  readonly temporaryBytes: number;
  /** Of stdout and of stderr, each. */
  readonly outputBytes: number;
  readonly inputBytes: number;
  /** To hosts, at once. */
  readonly connections: number;
  /** Sent to hosts and received from them. */
  readonly networkBytes: number;
}

export const COMMAND_LIMITS: CommandLimits = Object.freeze({
  wallMs: 10 * 60_000,
  cpuSeconds: 300,
  processBytes: 4_096 * MB,
  memoryBytes: 2_048 * MB,
  processes: 128,
  openFiles: 1_024,
  fileBytes: 64 * MB,
  workspaceBytes: 1_024 * MB,
  workspaceFiles: 100_000,
  temporaryBytes: 128 * MB,
  outputBytes: 256 * 1024,
  inputBytes: MB,
  connections: 64,
  networkBytes: 512 * MB,
});
