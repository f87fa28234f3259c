import type { Declarations, Grant, SyscallDeclaration } from "../declaration.ts";

/**
 * Runs programs that come in at run time and that were not reviewed, each call in an isolate of a process that is apart
 * from the handlers'. A program has no network, files and clock. Its limits for memory, processor, time and output are
 * apart from the handler's. Needs `artifacts`.
 */
export interface Artifacts {
  /**
   * Calls the default export of the program's `entry` with `input` and a `ctx` of which it may use `log`, `fail` and
   * `artifacts.ask`; the latter only for what `asks` names, and `answer` is what it gets. Resolves with what it returns.
   * Rejects with what it raised by `ctx.fail`, and with ARTIFACT_FAILED for anything else that it threw. A limit rejects
   * with CPU_LIMIT, MEMORY_LIMIT, TIME_LIMIT, RESULT_TOO_LARGE, OUTPUT_INVALID or NEVER_SETTLES. Rejects with UNAVAILABLE
   * when it was lost through no fault of the program: then it may run again.
   */
  run<Result = unknown>(program: ArtifactProgram, request: ArtifactRequest): Promise<Result>;
  /**
   * Makes a program that can be run out of one that may have types, and loads it without calling it. Rejects with
   * BAD_REQUEST that says why it cannot be loaded.
   */
  compile(program: ArtifactProgram): Promise<ArtifactProgram>;
  /** Asks the handler that runs the program; only programs that `run` has called have it. */
  ask<Answer = unknown>(name: string, args: unknown): Promise<Answer>;
}

export interface ArtifactProgram {
  /** For messages and logs. */
  readonly name: string;
  /** Source by path. Paths that end with `.js` are JavaScript, which alone can run; those with `.ts` are TypeScript. */
  readonly modules: Readonly<Record<string, string>>;
  /** Path of the module whose default export is called. */
  readonly entry: string;
}

export interface ArtifactRequest {
  readonly input: unknown;
  /** True if it may use `ctx.now`. */
  readonly clock?: boolean;
  /** 32 hexadecimal digits that make `ctx.random` reproducible; absent: it may not use it. */
  readonly seed?: string;
  /** Names of the requests that it may make. */
  readonly asks?: readonly string[];
  /** Answers what it asks, one question after the other. An error it is answered with has name and message. */
  readonly answer?: (name: string, args: unknown) => unknown;
}

export const ARTIFACT_GRANTS = {
  artifacts: { breaks: ["deterministic"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.artifacts`; `resume` takes a run on after a question, and is no method of its own. */
export const ARTIFACTS = {
  run: {
    name: "artifacts.run",
    takes: ["program", ["input", "clock?", "seed?", "asks?"]],
    needs: "artifacts",
    inPreviews: true,
  },
  resume: {
    name: "artifacts.resume",
    takes: ["run", "ask", ["value?", "error?"]],
    needs: "artifacts",
    inPreviews: true,
  },
  compile: { name: "artifacts.compile", takes: ["program"], needs: "artifacts", inPreviews: true },
  ask: { name: "artifacts.ask", takes: ["name", "args"], needs: "artifacts", inPreviews: true },
} as const satisfies Declarations<Artifacts, keyof typeof ARTIFACT_GRANTS> & {
  readonly resume: SyscallDeclaration;
};
